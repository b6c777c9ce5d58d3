import { Mail } from 'lucide-react'
import { useState } from 'react'
import { fetchAsMember } from '#data/supabase.ts'
import { m } from '#lib/messages/messages.js'
import { isUnproven, notifyError } from '#lib/server/notify-error.ts'
import { connectedConfig } from '#lib/server/supabase-connection.ts'
import { TileButton } from '#ui/tile-link.tsx'

/** Where the server has no mail server to send with: the way to the mails it keeps, which admins hand on. */
export function MailboxEntry() {
  const { hasMailbox, supabaseUrl } = connectedConfig()
  const [isBusy, setIsBusy] = useState(false)
  if (!hasMailbox) return null

  async function open() {
    setIsBusy(true)
    const response = await fetchAsMember(`${supabaseUrl}/_mail/open`, { method: 'POST' }).catch(
      () => null,
    )
    if (response?.ok) return location.assign(`${supabaseUrl}/_mail`)
    setIsBusy(false)
    if (!isUnproven(response)) notifyError(m.app_mailbox_failed())
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
