import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { m } from '#lib/messages/messages.js'

function subscribe(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine)
}

/** Says that writing still works without a connection. */
export function OfflineNote() {
  if (useIsOnline()) return null
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-2 bg-tint px-4 py-2 text-center text-small text-ink"
    >
      <CloudOff aria-hidden="true" className="size-4 flex-none" />
      {m.chat_offline()}
    </p>
  )
}
