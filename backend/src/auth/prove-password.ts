// Proves a password without letting anybody guess it: a guess is paid for before it is checked, however many arrive at
// once, and the right password gets its price back.
import type { Accounts, Call } from './action.ts'
import { authErrors } from './errors.ts'
import { addressGroup, type LimitName } from './rate-limits.ts'
import { inet } from './sessions.ts'
import type { User } from './users.ts'

type Price = [name: LimitName, who: string][]

/**
 * Calls `findUser` and checks the password at the same cost whether there is an account or not.
 * @throws over_request_rate_limit after too many wrong passwords for this address, with an account or not
 * @throws invalid_credentials
 */
export async function provePassword<Found extends Pick<User, 'encrypted_password'>>(
  claim: { email: string; password: string; findUser: () => Promise<Found | null> },
  call: Call,
  accounts: Accounts,
): Promise<{ user: Found; outdated: boolean }> {
  const { passwords, limits } = accounts
  const price = await payForGuess(claim.email, call, accounts)
  const user = await claim.findUser()
  if (!user?.encrypted_password) {
    await passwords.pretendToVerify(claim.password)
    throw authErrors.invalidCredentials()
  }
  const { matches, outdated } = await passwords.verify(claim.password, user.encrypted_password)
  if (!matches) throw authErrors.invalidCredentials()
  await Promise.all(price.map(([name, who]) => limits.giveBack(name, who)))
  return { user, outdated }
}

async function payForGuess(email: string, call: Call, accounts: Accounts): Promise<Price> {
  const { limits } = accounts
  const fromHere: Price[number] = [
    'wrongPasswordFromHere',
    `${addressGroup(call.clientAddress)}:${email}`,
  ]
  const tooManyHere = await limits.use(...fromHere)
  if (tooManyHere > 0) throw authErrors.tooManyRequests(tooManyHere)
  const tooManyAnywhere = await limits.use('wrongPasswordAnywhere', email)
  if (tooManyAnywhere === 0) return [fromHere, ['wrongPasswordAnywhere', email]]
  // Somebody is guessing from many places. The owner gets in from where a session is, so nobody can be locked out.
  if (await hasSessionHere(email, call, accounts)) return [fromHere]
  await limits.giveBack(...fromHere)
  throw authErrors.tooManyRequests(tooManyAnywhere)
}

async function hasSessionHere(email: string, call: Call, { database }: Accounts): Promise<boolean> {
  const { rowCount } = await database.query({
    text: `select from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1 and s.ip = $2 limit 1`,
    values: [email, inet(call.clientAddress)],
  })
  return Boolean(rowCount)
}
