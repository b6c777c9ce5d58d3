import * as v from 'valibot'
import { readBody, text, type Action } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { auditPayload } from '#auth/flows/audit-log.ts'
import { constantTimeError } from '#auth/flows/constant-time-response.ts'
import { MAX_ADDRESS_LENGTH } from '#auth/flows/email-address.ts'
import { findWeakness } from '#auth/passwords/password-strength.ts'
import { verifyPassword } from '#auth/passwords/verify-password.ts'
import { describeSession, openSession } from '#auth/sessions/open-session.ts'
import { findUserByEmail, isBanned, updateUser } from '#auth/users.ts'
import { addressGroup } from '#http/client-address.ts'
import type { Query } from '#postgres/statement.ts'

const bodySchema = v.object({ email: text, phone: text, password: text })

/** POST /token?grant_type=password */
export const signInWithPassword: Action = async (call, accounts) => {
  const { database, settings, passwords } = accounts
  const body = await readBody(call.request, bodySchema)
  requireEmailSignIn(body)
  const email = body.email.toLowerCase()
  if (email.length > MAX_ADDRESS_LENGTH) throw authErrors.invalidCredentials()

  return constantTimeError(settings.minResponseMilliseconds, async () => {
    const query: Query = (statement) => database.query(statement)
    const findUser = () => findUserByEmail(query, email)
    const claim = { email, password: body.password, findUser }
    const { user, outdated } = await verifyPassword(claim, call, accounts)
    if (isBanned(user, call.now.getTime())) throw authErrors.userBanned(400)
    if (!user.email_confirmed_at) throw authErrors.emailNotConfirmed()

    const renewed = outdated
      ? await passwords.hash(body.password, addressGroup(call.clientAddress))
      : null
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
