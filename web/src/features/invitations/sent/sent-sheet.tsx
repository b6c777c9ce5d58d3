import { nameOrAddress } from '#domain/member-name.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { Modal } from '#ui/modal.tsx'
import type { SentInvitation } from './sent-queries.ts'
import { dayOf, inviterName, joinedName, mayResend, mayRevoke, stateName } from './sent-words.ts'

type SentSheetProps = {
  invitation: SentInvitation
  isResending: boolean
  onResend: () => void
  onRevoke: () => void
  onClose: () => void
}

/** Everything about one invitation, and what an admin can do about it. */
export function SentSheet({
  invitation,
  isResending,
  onResend,
  onRevoke,
  onClose,
}: SentSheetProps) {
  const facts = factsOf(invitation)
  return (
    <Modal open onClose={onClose} title={nameOrAddress(invitation)} description={invitation.email}>
      {invitation.state === 'bounced' && (
        <p className="rounded-field bg-danger-tint px-4 py-3 break-words text-danger-text">
          <span className="block font-semibold">{m.invitations_bounced_hint()}</span>
          {invitation.bounce_reason || m.invitations_no_reason()}
        </p>
      )}
      {invitation.needs_password && (
        <p className="rounded-field bg-tint px-4 py-3">{m.invitations_no_password_yet()}</p>
      )}
      <dl className="grid gap-2">
        {facts.map(([term, fact]) => (
          <div key={term} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-muted">{term}</dt>
            <dd className="min-w-0 font-medium break-words tabular-nums">{fact}</dd>
          </div>
        ))}
      </dl>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
        {mayResend(invitation) && (
          <Button busyText={isResending && m.invitations_sending()} onClick={onResend}>
            {m.invitations_resend()}
          </Button>
        )}
        {mayRevoke(invitation) && (
          <Button variant="danger-ghost" isWaiting={isResending} onClick={onRevoke}>
            {m.invitations_revoke()}
          </Button>
        )}
      </div>
    </Modal>
  )
}

function factsOf(invitation: SentInvitation): [string, string][] {
  const { state, created_at, last_sent_at, times_sent, expires_at, accepted_at, revoked_at } =
    invitation
  const facts: [string, string | null][] = [
    [m.invitations_state(), stateName(state)],
    [m.invitations_invited_by(), inviterName(invitation)],
    [m.invitations_invited_on(), dayOf(created_at)],
    [
      m.invitations_last_mail(),
      last_sent_at &&
        (times_sent > 1
          ? m.invitations_day_and_times({
              day: dayOf(last_sent_at),
              times: formatCount(times_sent),
            })
          : dayOf(last_sent_at)),
    ],
    [m.invitations_accepted_on(), accepted_at && dayOf(accepted_at)],
    [m.invitations_joined_as(), joinedName(invitation) || null],
    [m.invitations_revoked_on(), revoked_at && dayOf(revoked_at)],
    [
      m.invitations_valid_until(),
      state === 'pending' || state === 'expired' ? dayOf(expires_at) : null,
    ],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null)
}
