import { isAddress } from '../pasted-list/find-addresses.ts'
import type { KnownAddress } from '../invitation-queries.ts'
import { isBlank } from './invite-lines.ts'
import type { InviteLine } from './invite-list-store.ts'

/** What keeps a line from being sent. A blank line is not finished rather than wrong. */
export type LineProblem =
  | { kind: 'blank' | 'no_address' | 'invalid' | 'twice' }
  | { kind: 'refused'; refusal: NonNullable<InviteLine['refusal']> }
  | { kind: 'known'; known: KnownAddress }

/** What the team knows of an address, by address. */
export type KnownAddresses = ReadonlyMap<string, KnownAddress>

/** The address as it is sent. */
export const addressOf = ({ email }: InviteLine) => email.trim().toLowerCase()

/** The problem of each line, by its id; a line that can be sent is missing. */
export function findProblems(lines: InviteLine[], known: KnownAddresses): Map<string, LineProblem> {
  const problems = new Map<string, LineProblem>()
  const seen = new Set<string>()
  for (const line of lines) {
    const email = addressOf(line)
    const problem = problemOf(line, seen, known.get(email))
    if (problem) problems.set(line.id, problem)
    seen.add(email)
  }
  return problems
}

function problemOf(
  line: InviteLine,
  seen: ReadonlySet<string>,
  known: KnownAddress | undefined,
): LineProblem | undefined {
  const email = addressOf(line)
  if (isBlank(line)) return { kind: 'blank' }
  if (!email) return { kind: 'no_address' }
  if (!isAddress(email)) return { kind: 'invalid' }
  if (seen.has(email)) return { kind: 'twice' }
  if (known) return { kind: 'known', known }
  // A failed mail may be sent again.
  if (line.refusal && line.refusal.outcome !== 'failed')
    return { kind: 'refused', refusal: line.refusal }
  return undefined
}
