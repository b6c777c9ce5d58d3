// Counts attempts before they are checked, so that concurrent ones cannot exceed a limit.
import type { Accounts, Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { inet } from '#auth/sessions/sessions.ts'
import { addressGroup } from '#http/client-address.ts'
import type { RateName } from './rate-limits.ts'

type Charge = readonly [name: RateName, who: string]

export type Attempt = {
  /** The account's. */
  email: string
  /** Counted for the caller's own session or address. */
  fromHere: readonly Charge[]
  /** Counted for everybody's attempts at the same account; null where a right guess is worth nothing. */
  fromAnywhere: Charge | null
  /** Whether only sessions that have shown a second factor tell that the owner is at an address. */
  withSecondFactor?: boolean
}

/**
 * Where the account is signed in, `fromAnywhere` does not count: an attacker elsewhere must not lock out the owner.
 * @returns what to refund when the attempt turns out to be right
 * @throws over_request_rate_limit
 */
export async function chargeAttempt(
  attempt: Attempt,
  call: Call,
  accounts: Accounts,
): Promise<readonly Charge[]> {
  const { fromHere, fromAnywhere } = attempt
  const { limits } = accounts
  for (const [name, who] of fromHere) {
    const wait = await limits.use(name, who)
    if (wait > 0) throw authErrors.tooManyRequests(wait)
  }
  if (fromAnywhere === null) return fromHere
  const wait = await limits.use(...fromAnywhere)
  if (wait === 0) return [...fromHere, fromAnywhere]
  if (await isSignedInHere(attempt, call, accounts)) return fromHere
  await refundAll(fromHere, limits)
  throw authErrors.tooManyRequests(wait)
}

export async function refundAll(
  charges: readonly Charge[],
  limits: Accounts['limits'],
): Promise<void> {
  await Promise.all(charges.map(([name, who]) => limits.refund(name, who)))
}

/** Whether the account has a session at the caller's address. */
export async function isSignedInHere(
  { email, withSecondFactor = false }: Pick<Attempt, 'email' | 'withSecondFactor'>,
  call: Call,
  { database }: Accounts,
): Promise<boolean> {
  if (inet(call.clientAddress) === null) return false
  const { rowCount } = await database.query({
    text: `
      select from auth.sessions s join auth.users u on u.id = s.user_id
      where u.email = $1 and s.ip <<= $2::inet and (not $3 or s.aal = 'aal2') limit 1`,
    values: [email, addressGroup(call.clientAddress), withSecondFactor],
  })
  return Boolean(rowCount)
}
