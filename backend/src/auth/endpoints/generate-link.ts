// POST /admin/generate_link, for trusted servers that send their own mail: returns the link without mailing it.
import * as v from 'valibot'
import { metadata, readBody, text, type Accounts, type Action, type Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { parseEmailAddress } from '#auth/flows/email-address.ts'
import type { TokenType } from '#auth/flows/one-time-tokens.ts'
import { savePendingSignUp } from '#auth/flows/pending-sign-ups.ts'
import { isAllowed, redirectTarget } from '#auth/flows/redirects.ts'
import { makeLink, type LinkParams } from '#auth/flows/send-link.ts'
import { requireStrongPassword } from '#auth/passwords/password-strength.ts'
import { requireServiceRole } from '#auth/sessions/require-user.ts'
import { userJson } from '#auth/user-json.ts'
import {
  findUserByEmail,
  insertUser,
  lockUser,
  NO_PASSWORD,
  reloadUser,
  updateUser,
  type Json,
  type User,
} from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'
import { saveInvitation } from './invite-user.ts'

const bodySchema = v.object({
  type: text,
  email: text,
  new_email: text,
  password: text,
  data: metadata,
  redirect_to: text,
})
type Body = v.InferOutput<typeof bodySchema>

export const generateLink: Action = async (call, accounts) => {
  requireServiceRole(call)
  const { settings, database, passwords } = accounts
  const body = await readBody(call.request, bodySchema)
  const email = parseEmailAddress(body.email)
  const newEmail = body.type.startsWith('email_change_') ? parseEmailAddress(body.new_email) : ''
  if (body.type === 'signup') {
    if (body.password === '') {
      throw authErrors.validationFailed('Signup requires a valid password')
    }
    requireStrongPassword(body.password, settings)
  }
  const encryptedPassword = body.password ? await passwords.hash(body.password) : NO_PASSWORD
  const redirectTo = isAllowed(body.redirect_to, settings)
    ? body.redirect_to
    : redirectTarget(call.request, settings)

  const responseBody = await database.transaction(async (query) => {
    const prepared = await prepare(
      query,
      { ...body, email, newEmail, encryptedPassword },
      call,
      accounts,
    )
    const { order, verificationType } = prepared
    const withCode = { ...order, hasCode: true }
    const { issued, link } = await makeLink(query, withCode, call, settings, redirectTo)
    return {
      ...userJson(await reloadUser(query, order.user.id)),
      action_link: link,
      email_otp: issued.code,
      hashed_token: issued.token,
      redirect_to: redirectTo,
      verification_type: verificationType,
    }
  })
  return Response.json(responseBody)
}

type Wanted = Body & { newEmail: string; encryptedPassword: string }
type Prepared = { order: LinkParams; verificationType: string }

async function prepare(
  query: Query,
  wanted: Wanted,
  call: Call,
  accounts: Accounts,
): Promise<Prepared> {
  const known = await findUserByEmail(query, wanted.email)
  switch (wanted.type) {
    case 'signup':
      return signUpLink(query, known, wanted, call)
    case 'invite': {
      const user = await saveInvitation(query, wanted.email, wanted.data ?? {}, call)
      return confirmation(user, 'invite')
    }
    case 'magiclink':
      // As in GoTrue, an unknown address is signed up.
      if (!known) return signUpLink(query, known, wanted, call)
      return accessLink(query, known, 'magiclink', call)
    case 'recovery':
      if (!known) throw authErrors.userOfEmailNotFound()
      return accessLink(query, known, 'recovery', call)
    case 'email_change_current':
    case 'email_change_new':
      if (!known) throw authErrors.userOfEmailNotFound()
      return emailChangeLink(query, known, wanted, wanted.type, call, accounts)
    default:
      throw authErrors.validationFailed(`Invalid email action link type requested: ${wanted.type}`)
  }
}

/** The link activates its own password and data, regardless of earlier sign-ups with the address. */
async function signUpLink(
  query: Query,
  known: User | null,
  wanted: Wanted,
  call: Call,
): Promise<Prepared> {
  const { email, encryptedPassword } = wanted
  const data: Json = wanted.data ?? {}
  const newUser = { id: call.randomId(), email, encryptedPassword, userMetadata: data }
  const user = known ?? (await insertUser(query, newUser, call.now))
  await lockUser(query, user.id)
  if ((await reloadUser(query, user.id)).email_confirmed_at) throw authErrors.emailExists()
  const chosen = { userId: user.id, encryptedPassword, data }
  const pendingSignUp = await savePendingSignUp(query, chosen, call)
  await updateUser(query, user.id, { confirmation_sent_at: call.now }, call.now)
  return confirmation(user, 'signup', pendingSignUp)
}

function confirmation(
  user: User,
  type: 'signup' | 'invite',
  pendingSignUp: string | null = null,
): Prepared {
  const order: LinkParams = {
    user,
    kind: type === 'invite' ? 'invite' : 'confirmation',
    tokenType: 'confirmation_token',
    linkType: type,
    email: user.email ?? '',
    pendingSignUp,
  }
  return { order, verificationType: type }
}

async function accessLink(
  query: Query,
  user: User,
  type: 'recovery' | 'magiclink',
  call: Call,
): Promise<Prepared> {
  await updateUser(query, user.id, { recovery_sent_at: call.now }, call.now)
  const order: LinkParams = {
    user,
    kind: type === 'recovery' ? 'recovery' : 'magic_link',
    tokenType: 'recovery_token',
    linkType: type,
    email: user.email ?? '',
  }
  return { order, verificationType: type }
}

async function emailChangeLink(
  query: Query,
  user: User,
  { newEmail }: Wanted,
  type: 'email_change_current' | 'email_change_new',
  call: Call,
  { settings }: Accounts,
): Promise<Prepared> {
  const isCurrent = type === 'email_change_current'
  if (isCurrent && !settings.secureEmailChange) {
    throw authErrors.validationFailed(
      'Enable secure email change to generate link for current email',
    )
  }
  if (await findUserByEmail(query, newEmail)) throw authErrors.emailExists()
  await updateUser(
    query,
    user.id,
    { email_change: newEmail, email_change_sent_at: call.now, email_change_confirm_status: 0 },
    call.now,
  )
  const tokenType: TokenType = isCurrent ? 'email_change_token_current' : 'email_change_token_new'
  const order: LinkParams = {
    user,
    kind: isCurrent ? 'email_change_current' : 'email_change',
    tokenType,
    linkType: 'email_change',
    email: isCurrent ? (user.email ?? '') : newEmail,
  }
  return { order, verificationType: type }
}
