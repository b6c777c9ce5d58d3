// Verifies a password with protection against guessing: each attempt is counted before the check, so concurrent ones cannot
// exceed the limit, and a correct password is refunded.
import type { Accounts, Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import type { RateName } from '#auth/flows/rate-limits.ts'
import { inet } from '#auth/sessions/sessions.ts'
import type { User } from '#auth/users.ts'
import { addressGroup } from '#http/client-address.ts'

type Charges = [name: RateName, who: string][]

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
  const charges = await chargeGuess(claim.email, call, accounts)
  const user = await claim.findUser()
  if (!user?.encrypted_password) {
    await passwords.verifyDecoy(claim.password, who)
    throw authErrors.invalidCredentials()
  }
  const { matches, outdated } = await passwords.verify(claim.password, user.encrypted_password, who)
  if (!matches) throw authErrors.invalidCredentials()
  await Promise.all(charges.map(([name, who]) => limits.refund(name, who)))
  return { user, outdated }
}

async function chargeGuess(email: string, call: Call, accounts: Accounts): Promise<Charges> {
  const { limits } = accounts
  const fromHere: Charges[number] = [
    'wrongPasswordFromHere',
    `${addressGroup(call.clientAddress)}:${email}`,
  ]
  const tooManyHere = await limits.use(...fromHere)
  if (tooManyHere > 0) throw authErrors.tooManyRequests(tooManyHere)
  const tooManyAnywhere = await limits.use('wrongPasswordAnywhere', email)
  if (tooManyAnywhere === 0) return [fromHere, ['wrongPasswordAnywhere', email]]
  // A distributed attack. The owner can still sign in from the address of an existing session, so nobody is locked out.
  if (await hasSessionHere(email, call, accounts)) return [fromHere]
  await limits.refund(...fromHere)
  throw authErrors.tooManyRequests(tooManyAnywhere)
}

async function hasSessionHere(email: string, call: Call, { database }: Accounts): Promise<boolean> {
  const { rowCount } = await database.query({
    text: `select from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1 and s.ip = $2 limit 1`,
    values: [email, inet(call.clientAddress)],
  })
  return Boolean(rowCount)
}
