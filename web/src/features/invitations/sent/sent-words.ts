import { fullName } from '#domain/member-name.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import type { SentInvitation, SentState } from './sent-queries.ts'

const STATES: Record<SentState, () => string> = {
  pending: m.invitations_state_pending,
  accepted: m.invitations_state_accepted,
  bounced: m.invitations_state_bounced,
  expired: m.invitations_state_expired,
  revoked: m.invitations_state_revoked,
}

export const stateName = (state: SentState) => STATES[state]()

export function inviterName(invitation: SentInvitation): string {
  const { invited_by_first_name: first_name, invited_by_last_name: last_name } = invitation
  return fullName({ first_name, last_name })
}

/** Who came, by the name they gave themselves; empty once their account is gone. */
export function joinedName(invitation: SentInvitation): string {
  const { accepted_first_name: first_name, accepted_last_name: last_name } = invitation
  return fullName({ first_name, last_name })
}

export function dayOf(at: string): string {
  return new Date(at).toLocaleDateString(formatLocale(), { dateStyle: 'medium' })
}

/** Whether it can be sent again, or taken back. */
export const mayResend = ({ state }: SentInvitation) => state !== 'accepted'
export const mayRevoke = ({ state }: SentInvitation) => state !== 'accepted' && state !== 'revoked'
