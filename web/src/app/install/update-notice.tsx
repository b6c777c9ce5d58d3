import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { useUpdateOffer } from './update-offer.ts'

/** Offers an update without getting in the way. */
export function UpdateNotice() {
  const { isReady, accept } = useUpdateOffer()
  if (!isReady) return null
  return (
    <div
      role="status"
      className="fixed inset-x-4 bottom-24 z-40 mx-auto flex max-w-md items-center gap-3 rounded-card border border-line bg-card p-4 shadow-float lg:bottom-6"
    >
      <p className="flex-1 text-small">{m.app_update_ready()}</p>
      <Button size="sm" onClick={accept}>
        {m.app_update_now()}
      </Button>
    </div>
  )
}
