import { Mail } from 'lucide-react'
import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { isUnproven, notifyError } from '#lib/supabase/notify-error.ts'
import { fetchAsMember } from '#lib/supabase/supabase.ts'
import { connectedConfig } from '#lib/supabase/supabase-connection.ts'
import { TileButton } from '#ui/tile-link.tsx'

/** Where the server has no mail server to send with: the way to the mails it keeps, which admins hand on. */
export function MailboxEntry() {
  const { hasMailbox, supabaseUrl } = connectedConfig()
  const [isBusy, setIsBusy] = useState(false)
  if (!hasMailbox) return null

  async function open() {
    setIsBusy(true)
    const answer = await fetchAsMember(`${supabaseUrl}/_mail/open`, { method: 'POST' }).catch(
      () => null,
    )
    if (answer?.ok) return location.assign(`${supabaseUrl}/_mail`)
    setIsBusy(false)
    if (!isUnproven(answer)) notifyError(m.app_mailbox_failed())
  }

  return (
    <TileButton
      picture={Mail}
      detail={m.app_mailbox_hint()}
      isBusy={isBusy}
      onClick={() => void open()}
    >
      {m.app_mailbox()}
    </TileButton>
  )
}
