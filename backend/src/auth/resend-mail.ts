import * as v from 'valibot'
import type { Query } from '#postgres/statement.ts'
import { readBody, text, type Accounts, type Action, type Call } from './action.ts'
import { checkChallenge, type Challenge } from './code-challenge.ts'
import { parseEmailAddress } from './email-address.ts'
import { authErrors } from './errors.ts'
import { sendConfirmation } from './send-confirmation.ts'
import { sendEmailChange } from './send-email-change.ts'
import { requireMailAllowed } from './send-link.ts'
import { findUserByEmail } from './users.ts'

const bodySchema = v.object({
  type: text,
  email: text,
  phone: text,
  code_challenge: text,
  code_challenge_method: text,
})

/** POST /resend: the confirmation of a sign-up or of a changed address once more. */
export const resendMail: Action = async (call, accounts) => {
  const body = await readBody(call.request, bodySchema)
  if (body.type === 'sms' || body.type === 'phone_change') {
    throw authErrors.notSupported('phone_provider_disabled', 400, 'Phone logins are disabled')
  }
  if (body.type !== 'signup' && body.type !== 'email_change') {
    throw authErrors.validationFailed(
      'Missing one of these types: signup, email_change, sms, phone_change',
    )
  }
  if (body.email === '') {
    throw authErrors.validationFailed('Type provided requires an email address')
  }
  const challenge = checkChallenge(body) ? body : null
  const email = parseEmailAddress(body.email)
  const type = body.type
  await requireMailAllowed(email, type, call, accounts)
  await accounts.database.transaction((query) =>
    resend(query, { type, email, challenge }, call, accounts),
  )
  return Response.json({})
}

type Order = { type: 'signup' | 'email_change'; email: string; challenge: Challenge | null }

async function resend(
  query: Query,
  { type, email, challenge }: Order,
  call: Call,
  accounts: Accounts,
) {
  const user = await findUserByEmail(query, email)
  if (!user) return
  if (type === 'signup') {
    if (user.email_confirmed_at) return
    await sendConfirmation(query, user, challenge, call, accounts)
  } else if (user.email_change) {
    await sendEmailChange(query, user, user.email_change, challenge, call, accounts)
  }
}
