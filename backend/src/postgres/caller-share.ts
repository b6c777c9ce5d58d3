// Whose share of what all callers use together a request takes, such as turns in a queue. It gives no rights.

type Sharer = { claims?: { sub?: string; session_id?: string; aal?: string } }

type Access = 'admitted' | 'refused'

const accesses = new WeakMap<Sharer, Access>()

/** Whether the database let the caller's token in when it last said so; refused, its session has ended or owes a second factor. */
export function accessOf(caller: Sharer): Access | undefined {
  return accesses.get(caller)
}

export function noteAccess(caller: Sharer, access: Access | undefined): void {
  if (access) accesses.set(caller, access)
  else accesses.delete(caller)
}

/**
 * The account's, or for want of one the address's. A token that is good for nothing must not use up the share of its account: one
 * that was refused counts for its address, and one without a second factor apart from those with it.
 */
export function shareOf(caller: Sharer, address: string): string {
  const { sub, aal } = caller.claims ?? {}
  if (sub === undefined || accessOf(caller) === 'refused') return address
  return aal === 'aal2' ? `${sub} aal2` : sub
}

/** The session's, for what counts before it is known whether the token is good for anything. */
export function sessionShareOf({ claims = {} }: Sharer): string {
  return `session ${claims.session_id ?? claims.sub} ${claims.aal}`
}
