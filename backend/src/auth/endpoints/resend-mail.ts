import * as v from 'valibot'
import { readBody, text, type Accounts, type Action, type Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { parseEmailAddress } from '#auth/flows/email-address.ts'
import { checkMailLimits, countMailToAccount, countMailToOne } from '#auth/flows/mail-limits.ts'
import { findSignUpToResend } from '#auth/flows/pending-sign-ups.ts'
import { readChallenge, type Challenge } from '#auth/flows/pkce.ts'
import { sendConfirmation } from '#auth/flows/send-confirmation.ts'
import { sendEmailChangeAgain } from '#auth/flows/send-email-change.ts'
import { sendNotice } from '#auth/flows/send-link.ts'
import { findUserByEmail, lockUser, reloadUser } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'

const bodySchema = v.object({
  type: text,
  email: text,
  phone: text,
  code_challenge: text,
  code_challenge_method: text,
})

/** POST /resend: mails the confirmation of a sign-up or a changed address again. */
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
  const challenge = readChallenge(body, accounts.settings)
  const email = parseEmailAddress(body.email)
  const type = body.type
  // Not the interval of PUT /user: a stranger could tell from it that a change was just requested, or delay one.
  const purpose = type === 'email_change' ? 'email_change_again' : type
  await checkMailLimits({ email, purpose, isForNewcomers: type === 'signup' }, call, accounts)
  if (type === 'email_change' && !(await hasChangeToMail(email, call, accounts))) {
    return Response.json({})
  }
  await accounts.database.transaction((query) =>
    resend(query, { type, email, challenge }, call, accounts),
  )
  // An address without an account has nothing to be sent again.
  if (type === 'signup' && !call.hasEnqueuedMail)
    await accounts.limits.refund('mailsToNewcomers', 'all')
  return Response.json({})
}

/**
 * Whether there is a pending change whose mails may be sent, and counts them. The caller must not learn of a refusal: anybody may
 * ask, and only a pending change has mails.
 */
async function hasChangeToMail(email: string, call: Call, accounts: Accounts): Promise<boolean> {
  const user = await findUserByEmail((statement) => accounts.database.query(statement), email)
  if (!user?.email_change) return false
  const wait =
    (await countMailToOne(user.email_change, 'email_change', call, accounts)) ||
    (await countMailToAccount(user, accounts))
  return wait === 0
}

type Order = { type: 'signup' | 'email_change'; email: string; challenge: Challenge | null }

async function resend(
  query: Query,
  { type, email, challenge }: Order,
  call: Call,
  accounts: Accounts,
) {
  const found = await findUserByEmail(query, email)
  if (!found) return
  await lockUser(query, found.id)
  const user = await reloadUser(query, found.id)
  if (type === 'signup') {
    if (user.email_confirmed_at)
      return sendNotice(query, { kind: 'existing_account', user }, call, accounts)
    const pendingSignUp = await findSignUpToResend(query, user.id, call)
    await sendConfirmation(query, { user, pendingSignUp, challenge }, call, accounts)
  } else if (user.email_change) {
    await sendEmailChangeAgain(query, user, user.email_change, challenge, call, accounts)
  }
}
