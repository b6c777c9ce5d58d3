// Counts attempts before they are checked, so that concurrent ones cannot exceed a limit.
import type { Accounts, Call } from '#auth/context.ts'
import { inet } from '#auth/sessions/sessions.ts'
import { addressGroup } from '#http/client-address.ts'
import type { RateName } from './rate-limits.ts'

export type Charge = readonly [name: RateName, who: string]

type Attempt = {
  /** Counted for the caller's own session, address or network. */
  fromHere: readonly Charge[]
  /** Counted for everybody's attempts at the same account. */
  fromAnywhere: Charge
  /** Whether the account is signed in where the caller is: whoever uses up `fromAnywhere` elsewhere must not lock out its owner. */
  isSignedInHere: () => Promise<boolean>
}

/** @returns what to refund when the attempt turns out to be right, and the seconds to wait: 0 when it is allowed */
export async function chargeAttempt(
  { fromHere, fromAnywhere, isSignedInHere }: Attempt,
  limits: Accounts['limits'],
): Promise<{ charges: readonly Charge[]; wait: number }> {
  for (const [name, who] of fromHere) {
    const wait = await limits.use(name, who)
    if (wait > 0) return { charges: [], wait }
  }
  const wait = await limits.use(...fromAnywhere)
  if (wait === 0) return { charges: [...fromHere, fromAnywhere], wait }
  if (await isSignedInHere()) return { charges: fromHere, wait: 0 }
  await refundAll(fromHere, limits)
  return { charges: [], wait }
}

export async function refundAll(
  charges: readonly Charge[],
  limits: Accounts['limits'],
): Promise<void> {
  await Promise.all(charges.map(([name, who]) => limits.refund(name, who)))
}

/**
 * Whether the account has a session at the caller's address.
 * @param withSecondFactor counts only sessions that have shown one
 */
export async function isSignedInHere(
  email: string,
  call: Call,
  { database }: Accounts,
  withSecondFactor = false,
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
