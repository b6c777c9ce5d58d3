// Whose share of what all callers use together a request takes, such as turns in a queue. It gives no rights.

type Sharer = { claims?: { sub?: string; session_id?: string; aal?: string } }

/** Whose token the database refused as a whole: its session has ended, or owes a second factor. */
const refused = new WeakSet<Sharer>()

/** Notes whether the database let the caller in. */
export function noteAccess(caller: Sharer, isRefused: boolean): void {
  if (isRefused) refused.add(caller)
  else refused.delete(caller)
}

/**
 * The account's, or for want of one the address's. A token that is good for nothing must not use up the share of its account: one
 * that was refused counts for its address, and one without a second factor apart from those with it.
 */
export function shareOf(caller: Sharer, address: string): string {
  const { sub, aal } = caller.claims ?? {}
  if (sub === undefined || refused.has(caller)) return address
  return aal === 'aal2' ? `${sub} aal2` : sub
}

/** The session's, for what counts before it is known whether the token is good for anything. */
export function sessionShareOf({ claims = {} }: Sharer): string {
  return `session ${claims.session_id ?? claims.sub} ${claims.aal}`
}
