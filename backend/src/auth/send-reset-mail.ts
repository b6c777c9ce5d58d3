import * as v from 'valibot'
import { readBody, text, type Action } from './action.ts'
import { checkChallenge } from './code-challenge.ts'
import { parseEmailAddress } from './email-address.ts'
import { authErrors } from './errors.ts'
import { sendOpeningLink } from './send-confirmation.ts'
import { requireMailAllowed } from './send-link.ts'
import { findUserByEmail } from './users.ts'

const bodySchema = v.object({ email: text, code_challenge: text, code_challenge_method: text })

/** POST /recover: a link to choose a new password. The answer is the same whether there is an account or not. */
export const sendResetMail: Action = async (call, accounts) => {
  const body = await readBody(call.request, bodySchema)
  if (body.email === '') {
    throw authErrors.validationFailed('Password recovery requires an email')
  }
  const email = parseEmailAddress(body.email)
  const challenge = checkChallenge(body) ? body : null
  await requireMailAllowed(email, 'recovery', call, accounts)
  await accounts.database.transaction(async (query) => {
    const user = await findUserByEmail(query, email)
    if (user) await sendOpeningLink(query, user, 'recovery', challenge, call, accounts)
  })
  return Response.json({})
}
