import { CircleAlert, CircleCheck, Copy } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { ServerRefusal } from '#lib/supabase/server-refusal.ts'
import { copyText } from '#ui/copy-text.ts'
import { IconButton } from '#ui/icon-button.tsx'
import type { InviteOutcome, InviteResult } from './invitation-queries.ts'
import { joinAddress } from './join-address.ts'
import type { Invitee } from './parse-invitees.ts'

type InviteeRowProps = {
  /** The join link's, if there is one. */
  token: string | undefined
  invitee: Invitee
  result: InviteResult | undefined
}

export function InviteeRow({ token, invitee, result }: InviteeRowProps) {
  const name = `${invitee.firstName} ${invitee.lastName}`.trim()
  const person = name || invitee.email
  return (
    <li className="flex min-h-15 items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{person}</p>
        {name && <p className="truncate text-note text-muted">{invitee.email}</p>}
        {result && <Outcome {...result} />}
      </div>
      {token && result?.outcome !== 'already_a_member' && (
        <IconButton
          label={m.invitations_copy_for({ person })}
          icon={<Copy />}
          onClick={() => void copyText(joinAddress(token, invitee), m.invitations_copied())}
        />
      )}
    </li>
  )
}

const WORDS: Record<InviteOutcome, () => string> = {
  invited: m.invitations_outcome_invited,
  already_a_member: m.invitations_outcome_member,
  invalid: m.invitations_outcome_invalid,
  failed: m.invitations_outcome_failed,
}

function Outcome({ outcome, message }: InviteResult) {
  const isGood = outcome === 'invited' || outcome === 'already_a_member'
  const Icon = isGood ? CircleCheck : CircleAlert
  return (
    <p
      className={`flex items-center gap-1.5 text-note font-medium ${isGood ? 'text-success' : 'text-danger-text'}`}
    >
      <Icon aria-hidden="true" className="size-4 flex-none" />
      <span className="min-w-0">
        {WORDS[outcome]()}
        {message && ` (${messageOf(new ServerRefusal(message, 0))})`}
      </span>
    </p>
  )
}
