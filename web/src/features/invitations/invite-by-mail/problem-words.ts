import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf, ServerRefusal } from '#lib/server/notify-error.ts'
import type { InviteResult, KnownAddress } from '../invitation-queries.ts'
import type { InviteLine } from './invite-list-store.ts'
import type { LineProblem } from './line-problems.ts'

/** What is wrong with a line, in words; undefined if it can be sent and never failed. */
export function problemWords(
  line: InviteLine,
  problem: LineProblem | undefined,
): string | undefined {
  if (!problem) return line.refusal && refusalWords(line.refusal)
  switch (problem.kind) {
    case 'blank':
      return undefined
    case 'no_address':
      return m.invitations_line_no_address()
    case 'invalid':
      return m.invitations_line_invalid()
    case 'twice':
      return m.invitations_line_twice()
    case 'known':
      return knownWords(problem.known)
    case 'refused':
      return refusalWords(problem.refusal)
  }
}

function knownWords({ state, since }: KnownAddress): string {
  switch (state) {
    case 'invited':
      return m.invitations_line_invited({
        day: new Date(since).toLocaleDateString(formatLocale(), { dateStyle: 'medium' }),
      })
    case 'suspended':
    case 'removed':
      return m.invitations_line_left()
    case 'declined':
      return m.invitations_line_declined()
    default:
      return m.invitations_line_member()
  }
}

function refusalWords({ outcome, message }: Pick<InviteResult, 'outcome' | 'message'>): string {
  if (outcome === 'already_a_member') return m.invitations_line_member()
  if (outcome === 'taken_back') return m.invitations_line_taken_back()
  if (outcome === 'invalid') return m.invitations_line_invalid()
  const reason = message && messageOf(new ServerRefusal(message, 0))
  return reason ? m.invitations_line_failed_because({ reason }) : m.invitations_line_failed()
}
