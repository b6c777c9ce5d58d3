import * as v from 'valibot'
import type { Query } from '#postgres/statement.ts'
import { metadata, readBody, text, type Accounts, type Action, type Call } from './action.ts'
import { checkChallenge, type Challenge } from './code-challenge.ts'
import { parseEmailAddress } from './email-address.ts'
import { authErrors } from './errors.ts'
import { sendConfirmation, sendOpeningLink } from './send-confirmation.ts'
import { requireMailAllowed } from './send-link.ts'
import { findUserByEmail, insertUser, NO_PASSWORD, type Json, type User } from './users.ts'

const bodySchema = v.object({
  email: text,
  phone: text,
  data: metadata,
  create_user: v.nullish(v.boolean(), true),
  code_challenge: text,
  code_challenge_method: text,
})

/** POST /otp and /magiclink: a link and a code that sign in without a password. */
export const sendSignInMail: Action = async (call, accounts) => {
  const body = await readBody(call.request, bodySchema)
  if (body.phone !== '') {
    throw authErrors.notSupported('phone_provider_disabled', 400, 'Unsupported phone provider')
  }
  if (body.email === '') {
    throw authErrors.validationFailed('One of email or phone must be set')
  }
  const challenge = checkChallenge(body) ? body : null
  const email = parseEmailAddress(body.email)
  await requireMailAllowed(email, 'magiclink', call, accounts)
  const newcomer = { email, userMetadata: body.data ?? {} }
  await accounts.database.transaction(async (query) => {
    const known = await findUserByEmail(query, email)
    if (!known && !body.create_user) throw authErrors.otpSignUpDisabled()
    const user = known ?? (await signUpWithoutPassword(query, newcomer, call, accounts))
    await sendFittingLink(query, user, challenge, call, accounts)
  })
  return Response.json({})
}

function signUpWithoutPassword(
  query: Query,
  newcomer: { email: string; userMetadata: Json },
  call: Call,
  { settings }: Accounts,
): Promise<User> {
  if (settings.signUpDisabled) throw authErrors.signUpDisabled()
  const confirmed = settings.autoconfirm ? { emailConfirmedAt: call.now } : {}
  return insertUser(
    query,
    { id: call.randomId(), encryptedPassword: NO_PASSWORD, ...newcomer, ...confirmed },
    call.now,
  )
}

async function sendFittingLink(
  query: Query,
  user: User,
  challenge: Challenge | null,
  call: Call,
  accounts: Accounts,
) {
  if (user.email_confirmed_at) {
    await sendOpeningLink(query, user, 'magiclink', challenge, call, accounts)
  } else {
    await sendConfirmation(query, user, challenge, call, accounts)
  }
}
