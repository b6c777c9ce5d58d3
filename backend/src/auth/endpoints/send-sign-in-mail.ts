import * as v from 'valibot'
import {
  metadata,
  readBody,
  requireStorableMetadata,
  text,
  type Accounts,
  type Action,
  type Call,
} from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { parseEmailAddress } from '#auth/flows/email-address.ts'
import { checkMailLimits, countMailToAccount } from '#auth/flows/mail-limits.ts'
import { savePendingSignUp } from '#auth/flows/pending-sign-ups.ts'
import { readChallenge, type Challenge } from '#auth/flows/pkce.ts'
import { sendConfirmation, sendAccessLink } from '#auth/flows/send-confirmation.ts'
import {
  findUserByEmail,
  insertUser,
  lockUser,
  NO_PASSWORD,
  reloadUser,
  type Json,
  type User,
} from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'

const bodySchema = v.object({
  email: text,
  phone: text,
  data: metadata,
  create_user: v.nullish(v.boolean(), true),
  code_challenge: text,
  code_challenge_method: text,
})

/** POST /otp and /magiclink: mails a link and a code that sign in without a password. */
export const sendSignInMail: Action = async (call, accounts) => {
  const body = await readBody(call.request, bodySchema)
  if (body.phone !== '') {
    throw authErrors.notSupported('phone_provider_disabled', 400, 'Unsupported phone provider')
  }
  if (body.email === '') {
    throw authErrors.validationFailed('One of email or phone must be set')
  }
  const challenge = readChallenge(body, accounts.settings)
  requireStorableMetadata(body.data)
  const email = parseEmailAddress(body.email)
  const isForNewcomers = body.create_user === true
  await checkMailLimits({ email, purpose: 'magiclink', isForNewcomers }, call, accounts)
  if (!isForNewcomers) {
    const owner = await findUserByEmail((statement) => accounts.database.query(statement), email)
    if (owner && (await countMailToAccount(owner, accounts)) > 0) return Response.json({})
  }
  const newUser = { email, userMetadata: body.data ?? {} }
  await accounts.database.transaction(async (query) => {
    const known = await findUserByEmail(query, email)
    // As for a new password: nobody learns whether there is an account.
    if (!known && !isForNewcomers) return
    const user = known ?? (await signUpWithoutPassword(query, newUser, call, accounts))
    await sendSignInOrConfirmation(
      query,
      { user, data: newUser.userMetadata, challenge },
      call,
      accounts,
    )
  })
  return Response.json({})
}

function signUpWithoutPassword(
  query: Query,
  newUser: { email: string; userMetadata: Json },
  call: Call,
  { settings }: Accounts,
): Promise<User> {
  if (settings.signUpDisabled) throw authErrors.signUpDisabled()
  const confirmed = settings.autoconfirm ? { emailConfirmedAt: call.now } : {}
  return insertUser(
    query,
    {
      id: call.randomId(),
      encryptedPassword: NO_PASSWORD,
      isSignUp: true,
      ...newUser,
      ...confirmed,
    },
    call.now,
  )
}

async function sendSignInOrConfirmation(
  query: Query,
  { user: found, data, challenge }: { user: User; data: Json; challenge: Challenge | null },
  call: Call,
  accounts: Accounts,
) {
  await lockUser(query, found.id)
  const user = await reloadUser(query, found.id)
  if (user.email_confirmed_at) {
    await sendAccessLink(query, user, 'magiclink', challenge, call, accounts)
    return
  }
  // Another person may have signed up with the address: this link must not activate their password.
  const chosen = { userId: user.id, encryptedPassword: NO_PASSWORD, data }
  const pendingSignUp = user.invited_at ? null : await savePendingSignUp(query, chosen, call)
  await sendConfirmation(query, { user, pendingSignUp, challenge }, call, accounts)
}
