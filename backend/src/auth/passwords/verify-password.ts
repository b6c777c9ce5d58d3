// Verifies a password with protection against guessing: each attempt is counted before the check, so concurrent ones cannot
// exceed the limit, and a correct password is refunded.
import type { Accounts, Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { chargeAttempt, refundAll } from '#auth/flows/attempts.ts'
import type { User } from '#auth/users.ts'
import { addressGroup } from '#http/client-address.ts'

/**
 * Takes the same time whether or not the account exists.
 * @throws over_request_rate_limit after too many wrong passwords for this address, whether or not the account exists
 * @throws invalid_credentials
 */
export async function verifyPassword<Found extends Pick<User, 'encrypted_password'>>(
  claim: { email: string; password: string; findUser: () => Promise<Found | null> },
  call: Call,
  accounts: Accounts,
): Promise<{ user: Found; outdated: boolean }> {
  const { passwords, limits } = accounts
  const who = addressGroup(call.clientAddress)
  const charges = await chargeAttempt(
    {
      email: claim.email,
      fromHere: [['wrongPasswordFromHere', `${who}:${claim.email}`]],
      fromAnywhere: ['wrongPasswordAnywhere', claim.email],
    },
    call,
    accounts,
  )
  const user = await claim.findUser()
  if (!user?.encrypted_password) {
    await passwords.verifyDecoy(claim.password, who)
    throw authErrors.invalidCredentials()
  }
  const { matches, outdated } = await passwords.verify(claim.password, user.encrypted_password, who)
  if (!matches) throw authErrors.invalidCredentials()
  await refundAll(charges, limits)
  return { user, outdated }
}
