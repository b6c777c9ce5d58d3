import { CloudOff } from 'lucide-react'
import { useLocation } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { useReach } from '#lib/supabase/server-reach.ts'

/** Below every screen, at once: there is no connection. An open chat says so above its composer. */
export function ReachStrip() {
  const reach = useReach()
  const isThread = useLocation().pathname.startsWith('/chat/')
  return (
    // Always there: what appears in it is announced.
    <div role="status" className="flex-none">
      {reach !== 'online' && !isThread && (
        <p className="flex items-center justify-center gap-2 bg-tint px-4 py-1.5 text-note font-medium">
          <CloudOff aria-hidden="true" className="size-4 flex-none" />
          {reach === 'offline' ? m.ui_offline() : m.ui_no_answer_title()}
        </p>
      )}
    </div>
  )
}
