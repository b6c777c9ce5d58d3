import { CloudOff } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { useReach } from '#lib/server/server-reach.ts'

/** Says below a screen that there is no connection, or no response. */
export function ReachStrip() {
  const reach = useReach()
  return (
    // Always there: what appears in it is announced.
    <div role="status" className="flex-none">
      {reach !== 'online' && (
        <p className="flex items-center justify-center gap-2 bg-tint px-4 py-1.5 text-note font-medium">
          <CloudOff aria-hidden="true" className="size-4 flex-none" />
          {reach === 'offline' ? m.ui_offline_title() : m.ui_no_answer_title()}
        </p>
      )}
    </div>
  )
}
