import * as v from 'valibot'
import { readBody, text, type Action } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { parseEmailAddress } from '#auth/flows/email-address.ts'
import { checkMailLimits, countMailToAccount } from '#auth/flows/mail-limits.ts'
import { readChallenge } from '#auth/flows/pkce.ts'
import { sendAccessLink } from '#auth/flows/send-confirmation.ts'
import { findUserByEmail } from '#auth/users.ts'

const bodySchema = v.object({ email: text, code_challenge: text, code_challenge_method: text })

/** POST /recover: mails a link to choose a new password. The response does not reveal whether the account exists. */
export const sendResetMail: Action = async (call, accounts) => {
  const body = await readBody(call.request, bodySchema)
  if (body.email === '') {
    throw authErrors.validationFailed('Password recovery requires an email')
  }
  const email = parseEmailAddress(body.email)
  const challenge = readChallenge(body, accounts.settings)
  await checkMailLimits({ email, purpose: 'recovery' }, call, accounts)
  const user = await findUserByEmail((statement) => accounts.database.query(statement), email)
  if (user && (await countMailToAccount(user, accounts)) === 0) {
    await accounts.database.transaction((query) =>
      sendAccessLink(query, user, 'recovery', challenge, call, accounts),
    )
  }
  return Response.json({})
}
