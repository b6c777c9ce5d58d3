import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { writeDraft } from '#lib/forms/drafts.ts'
import { useDraft } from '#lib/forms/use-draft.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf, notifyError } from '#lib/supabase/notify-error.ts'
import { useUserId } from '#lib/supabase/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { inviteByMail, MOST_INVITEES, type InviteResult } from './invitation-queries.ts'
import { InviteeRow } from './invitee-row.tsx'
import { parseInvitees } from './parse-invitees.ts'

const SETTLED = ['invited', 'already_a_member']

/**
 * One address or a pasted list: everybody on it gets an invitation. With a join link, each person's own link
 * can be copied too.
 */
export function InviteeList({ token }: { token: string | undefined }) {
  const draft = `invitations:${useUserId()}`
  const [pasted, setPasted] = useDraft(draft)
  const [results, setResults] = useState<InviteResult[]>([])
  const resultOf = (email: string) => results.find((result) => result.email === email)
  const send = useMutation({
    mutationFn: inviteByMail,
    onSuccess: (sent) => {
      setResults((earlier) => [
        ...earlier.filter(({ email }) => !sent.some((result) => result.email === email)),
        ...sent,
      ])
      if (sent.every(({ outcome }) => SETTLED.includes(outcome))) writeDraft(draft, '')
    },
    onError: (error) => notifyError(m.invitations_failed({ message: messageOf(error) })),
  })

  const { invitees, unread } = parseInvitees(pasted)
  const waiting = invitees.filter(({ email }) => !SETTLED.includes(resultOf(email)?.outcome ?? ''))
  const problem =
    invitees.length > MOST_INVITEES
      ? m.invitations_too_many({ most: MOST_INVITEES })
      : unread.length > 0
        ? m.invitations_unread({ lines: unread.join(', ') })
        : undefined
  return (
    <Card className="grid grid-cols-1 gap-3">
      <TextArea
        label={m.invitations_people()}
        hint={m.invitations_people_hint()}
        placeholder={m.invitations_example()}
        error={problem}
        rows={4}
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
      />
      {invitees.length > 0 && (
        <ul aria-live="polite" className="grid grid-cols-1 divide-y divide-line">
          {invitees.map((invitee) => (
            <InviteeRow
              key={invitee.email}
              token={token}
              invitee={invitee}
              result={resultOf(invitee.email)}
            />
          ))}
        </ul>
      )}
      <Button
        isWaiting={waiting.length === 0 || invitees.length > MOST_INVITEES}
        busyText={send.isPending && m.invitations_sending()}
        onClick={() => send.mutate(waiting)}
      >
        <Send aria-hidden="true" className="size-5" />
        {waiting.length > 1
          ? m.invitations_send_many({ count: waiting.length })
          : m.invitations_send()}
      </Button>
    </Card>
  )
}
