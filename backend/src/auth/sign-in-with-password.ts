import * as v from 'valibot'
import type { Query } from '#postgres/statement.ts'
import { readBody, text, type Action } from './action.ts'
import { auditPayload } from './audit-log.ts'
import { LONGEST_ADDRESS } from './email-address.ts'
import { authErrors } from './errors.ts'
import { refuseEvenly } from './even-answer.ts'
import { describeSession, openSession } from './open-session.ts'
import { findWeakness } from './password-strength.ts'
import { provePassword } from './prove-password.ts'
import { findUserByEmail, isBanned, updateUser } from './users.ts'

const bodySchema = v.object({ email: text, phone: text, password: text })

/** POST /token?grant_type=password */
export const signInWithPassword: Action = async (call, accounts) => {
  const { database, settings, passwords } = accounts
  const body = await readBody(call.request, bodySchema)
  requireEmailSignIn(body)
  const email = body.email.toLowerCase()
  if (email.length > LONGEST_ADDRESS) throw authErrors.invalidCredentials()

  return refuseEvenly(settings.evenAnswerMilliseconds, async () => {
    const query: Query = (statement) => database.query(statement)
    const findUser = () => findUserByEmail(query, email)
    const claim = { email, password: body.password, findUser }
    const { user, outdated } = await provePassword(claim, call, accounts)
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
