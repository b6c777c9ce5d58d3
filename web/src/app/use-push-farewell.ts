import { useEffect } from 'react'
import { beforeSignOut } from '#lib/session.ts'

/** Signing out takes this device out of the member's push devices, while the session still allows it. */
export function usePushFarewell() {
  useEffect(() => {
    const forget = beforeSignOut(async () => {
      const { switchPushOff } = await import('#features/notifications/push-subscription.ts')
      await switchPushOff()
    })
    return () => void forget()
  }, [])
}
