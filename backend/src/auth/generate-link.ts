// POST /admin/generate_link, for trusted servers that send their own mails: the link without the mail.
import * as v from 'valibot'
import type { Query } from '#postgres/statement.ts'
import { metadata, readBody, text, type Accounts, type Action, type Call } from './action.ts'
import { requireServiceRole } from './caller-user.ts'
import { parseEmailAddress } from './email-address.ts'
import { authErrors } from './errors.ts'
import { saveInvitation } from './invite-user.ts'
import type { TokenType } from './one-time-tokens.ts'
import { requireStrongPassword } from './password-strength.ts'
import { isAllowed, redirectTarget } from './redirects.ts'
import { makeLink, type LinkOrder } from './send-link.ts'
import { userJson } from './user-json.ts'
import {
  findUserByEmail,
  insertUser,
  NO_PASSWORD,
  reloadUser,
  updateUser,
  type Json,
  type User,
} from './users.ts'

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

  const answer = await database.transaction(async (query) => {
    const prepared = await prepare(
      query,
      { ...body, email, newEmail, encryptedPassword },
      call,
      accounts,
    )
    const { order, verificationType } = prepared
    const { issued, link } = await makeLink(query, order, call, settings, redirectTo)
    return {
      ...userJson(await reloadUser(query, order.user.id)),
      action_link: link,
      email_otp: issued.code,
      hashed_token: issued.token,
      redirect_to: redirectTo,
      verification_type: verificationType,
    }
  })
  return Response.json(answer)
}

type Wanted = Body & { newEmail: string; encryptedPassword: string }
type Prepared = { order: LinkOrder; verificationType: string }

async function prepare(
  query: Query,
  wanted: Wanted,
  call: Call,
  accounts: Accounts,
): Promise<Prepared> {
  const known = await findUserByEmail(query, wanted.email)
  switch (wanted.type) {
    case 'signup':
      return signUpLink(await signUp(query, known, wanted, call))
    case 'invite': {
      const user = await saveInvitation(query, wanted.email, wanted.data ?? {}, call)
      return { ...signUpLink(user, 'invite'), verificationType: 'invite' }
    }
    case 'magiclink':
      // As GoTrue: somebody new signs up by it.
      if (!known) return signUpLink(await signUp(query, known, wanted, call))
      return openingLink(query, known, 'magiclink', call)
    case 'recovery':
      if (!known) throw authErrors.userOfEmailNotFound()
      return openingLink(query, known, 'recovery', call)
    case 'email_change_current':
    case 'email_change_new':
      if (!known) throw authErrors.userOfEmailNotFound()
      return emailChangeLink(query, known, wanted, wanted.type, call, accounts)
    default:
      throw authErrors.validationFailed(`Invalid email action link type requested: ${wanted.type}`)
  }
}

async function signUp(query: Query, known: User | null, wanted: Wanted, call: Call): Promise<User> {
  if (known?.email_confirmed_at) throw authErrors.emailExists()
  const userMetadata: Json = wanted.data ?? {}
  if (known) await updateUser(query, known.id, { raw_user_meta_data: userMetadata }, call.now)
  const { email, encryptedPassword } = wanted
  const newcomer = { id: call.randomId(), email, encryptedPassword, userMetadata }
  const user = known ?? (await insertUser(query, newcomer, call.now))
  await updateUser(query, user.id, { confirmation_sent_at: call.now }, call.now)
  return user
}

function signUpLink(user: User, type: 'signup' | 'invite' = 'signup'): Prepared {
  const order: LinkOrder = {
    user,
    kind: type === 'invite' ? 'invite' : 'confirmation',
    tokenType: 'confirmation_token',
    linkType: type,
    email: user.email ?? '',
  }
  return { order, verificationType: type }
}

async function openingLink(
  query: Query,
  user: User,
  type: 'recovery' | 'magiclink',
  call: Call,
): Promise<Prepared> {
  await updateUser(query, user.id, { recovery_sent_at: call.now }, call.now)
  const order: LinkOrder = {
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
  const order: LinkOrder = {
    user,
    kind: isCurrent ? 'email_change_current' : 'email_change',
    tokenType,
    linkType: 'email_change',
    email: isCurrent ? (user.email ?? '') : newEmail,
  }
  return { order, verificationType: type }
}
