import * as v from 'valibot'
import type { Query } from '#postgres/statement.ts'
import { readBody, text, type Accounts, type Action, type Call } from './action.ts'
import { auditPayload } from './audit-log.ts'
import { LONGEST_ADDRESS } from './email-address.ts'
import { authErrors } from './errors.ts'
import { refuseEvenly } from './even-answer.ts'
import { describeSession, openSession } from './open-session.ts'
import { findWeakness } from './password-strength.ts'
import { addressGroup } from './rate-limits.ts'
import { inet } from './sessions.ts'
import { findUserByEmail, isBanned, updateUser, type User } from './users.ts'

const bodySchema = v.object({ email: text, phone: text, password: text })

/** POST /token?grant_type=password */
export const signInWithPassword: Action = async (call, accounts) => {
  const { database, settings, passwords } = accounts
  const body = await readBody(call.request, bodySchema)
  requireEmailSignIn(body)
  const email = body.email.toLowerCase()
  if (email.length > LONGEST_ADDRESS) throw authErrors.invalidCredentials()
  await requireFewFailures(email, call, accounts)

  return refuseEvenly(settings.evenAnswerMilliseconds, async () => {
    const query: Query = (statement) => database.query(statement)
    const user = await findUserByEmail(query, email)
    const { outdated } = await provePassword(email, user, body.password, call, accounts)
    if (!user) throw authErrors.invalidCredentials()
    if (isBanned(user, call.now.getTime())) throw authErrors.userBanned(400)
    if (!user.email_confirmed_at) throw authErrors.emailNotConfirmed()

    const renewed = outdated ? await passwords.hash(body.password) : null
    const line = auditPayload({
      action: 'login',
      actor: user,
      traits: { provider: 'email' },
      address: call.clientAddress,
    })
    const signIn = await openSession(query, user, 'password', call, line)
    if (renewed) await updateUser(query, user.id, { encrypted_password: renewed }, call.now)
    const session = await describeSession(
      { ...user, last_sign_in_at: call.now, updated_at: call.now },
      signIn,
      call,
      accounts,
    )
    const weakness = findWeakness(body.password, settings)
    return Response.json(weakness ? { ...session, weak_password: weakness } : session)
  })
}

function requireEmailSignIn(body: v.InferOutput<typeof bodySchema>) {
  if (body.email !== '' && body.phone !== '') {
    throw authErrors.validationFailed(
      'Only an email address or phone number should be provided on login.',
    )
  }
  if (body.phone !== '') {
    throw authErrors.notSupported('phone_provider_disabled', 422, 'Phone logins are disabled')
  }
  if (body.email === '') throw authErrors.validationFailed('missing email or phone')
}

/**
 * Checks a password at the same cost whether there is an account or not, and counts wrong ones.
 * @throws invalid_credentials
 */
export async function provePassword(
  email: string,
  user: Pick<User, 'encrypted_password'> | null,
  password: string,
  call: Call,
  { passwords, limits }: Accounts,
): Promise<{ outdated: boolean }> {
  const stored = user?.encrypted_password
  if (stored) {
    const { matches, outdated } = await passwords.verify(password, stored)
    if (matches) return { outdated }
  } else {
    await passwords.pretendToVerify(password)
  }
  await Promise.all([
    limits.use('wrongPasswordFromHere', `${addressGroup(call.clientAddress)}:${email}`),
    limits.use('wrongPasswordAnywhere', email),
  ])
  throw authErrors.invalidCredentials()
}

/** @throws over_request_rate_limit after too many wrong passwords for this account, existing or not */
export async function requireFewFailures(email: string, call: Call, accounts: Accounts) {
  const { limits, database } = accounts
  const here = addressGroup(call.clientAddress)
  const [fromHere = 0, anywhere = 0] = await limits.look([
    ['wrongPasswordFromHere', `${here}:${email}`],
    ['wrongPasswordAnywhere', email],
  ])
  if (fromHere > 0) throw authErrors.tooManyRequests(fromHere)
  if (anywhere === 0) return
  // Somebody is guessing from many places. The owner gets in from where a session is, so nobody can be locked out.
  const { rowCount } = await database.query({
    text: `select from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1 and s.ip = $2 limit 1`,
    values: [email, inet(call.clientAddress)],
  })
  if (!rowCount) throw authErrors.tooManyRequests(anywhere)
}
