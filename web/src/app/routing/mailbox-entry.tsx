import { Mail } from 'lucide-react'
import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { auth } from '#lib/supabase/auth.ts'
import { notifyError } from '#lib/supabase/notify-error.ts'
import { connectedConfig } from '#lib/supabase/supabase-connection.ts'
import { Button } from '#ui/button.tsx'

/** Where the server has no mail server to send with: the way to the mails it keeps, which admins hand on. */
export function MailboxEntry() {
  const { hasMailbox, supabaseUrl, supabaseKey } = connectedConfig()
  const [isBusy, setIsBusy] = useState(false)
  if (!hasMailbox) return null

  async function open() {
    setIsBusy(true)
    const { data } = await (await auth()).getSession()
    const headers = {
      apikey: supabaseKey,
      authorization: `Bearer ${data.session?.access_token ?? ''}`,
    }
    const answer = await fetch(`${supabaseUrl}/_mail/open`, { method: 'POST', headers }).catch(
      () => null,
    )
    if (answer?.ok) return location.assign(`${supabaseUrl}/_mail`)
    setIsBusy(false)
    notifyError(m.app_mailbox_failed())
  }

  return (
    <Button
      variant="tint"
      size="lg"
      busyText={isBusy && m.ui_loading()}
      onClick={() => void open()}
    >
      <Mail aria-hidden="true" className="size-5" />
      {m.app_mailbox()}
    </Button>
  )
}
