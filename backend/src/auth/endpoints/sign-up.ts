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
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { parseEmailAddress } from '#auth/flows/email-address.ts'
import { checkMailLimits } from '#auth/flows/mail-limits.ts'
import { savePendingSignUp } from '#auth/flows/pending-sign-ups.ts'
import { readChallenge, type Challenge } from '#auth/flows/pkce.ts'
import { sendConfirmation } from '#auth/flows/send-confirmation.ts'
import { sendNotice } from '#auth/flows/send-link.ts'
import { requireStrongPassword } from '#auth/passwords/password-strength.ts'
import { describeSession, openSession } from '#auth/sessions/open-session.ts'
import {
  AUDIENCE,
  findUserByEmail,
  insertUser,
  lockUser,
  reloadUser,
  updateUser,
  type Json,
  type User,
} from '#auth/users.ts'
import { addressGroup } from '#http/client-address.ts'
import { ServiceError } from '#http/service-error.ts'
import type { Query } from '#postgres/statement.ts'

const bodySchema = v.object({
  email: text,
  phone: text,
  password: text,
  data: metadata,
  code_challenge: text,
  code_challenge_method: text,
})

/**
 * POST /signup: creates an account that its owner confirms by mail. Until then the password and data are tied to that mail,
 * see pending-sign-ups.ts.
 */
export const signUp: Action = async (call, accounts) => {
  const { settings, passwords } = accounts
  if (settings.signUpDisabled) throw authErrors.signUpDisabled()
  const body = await readBody(call.request, bodySchema)
  requireEmailSignUp(body)
  requireStorableMetadata(body.data)
  requireStrongPassword(body.password, settings)
  const challenge = readChallenge(body, settings)
  const email = parseEmailAddress(body.email)
  if (!settings.autoconfirm) {
    await checkMailLimits({ email, purpose: 'signup', isForNewcomers: true }, call, accounts)
  }

  // Always hashed, and before looking up the account, so that timing reveals nothing.
  const encryptedPassword = await passwords.hash(body.password, addressGroup(call.clientAddress))
  const order = { email, encryptedPassword, data: body.data ?? {} }
  const save = () =>
    accounts.database.transaction((query) => saveSignUp(query, order, call, accounts, challenge))
  // The loser of a race for an address finds it taken on the second try, and gets the usual response.
  const user = await save().catch((error: unknown) =>
    isTaken(error) ? save() : Promise.reject(error as Error),
  )
  if (!user) {
    if (settings.autoconfirm) throw authErrors.userAlreadyExists()
    return Response.json(placeholderUser(order, call))
  }
  if (!user.email_confirmed_at) return Response.json(pendingUser(user, order, call))
  return Response.json(await signInImmediately(user, call, accounts))
}

function isTaken(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'email_exists'
}

function requireEmailSignUp(body: v.InferOutput<typeof bodySchema>) {
  if (body.email === '' && body.phone === '' && body.password === '') {
    throw authErrors.notSupported(
      'anonymous_provider_disabled',
      422,
      'Anonymous sign-ins are disabled',
    )
  }
  if (body.password === '') {
    throw authErrors.validationFailed('Signup requires a valid password')
  }
  if (body.phone !== '') {
    throw body.email === ''
      ? authErrors.notSupported('phone_provider_disabled', 400, 'Phone signups are disabled')
      : authErrors.validationFailed(
          'Only an email address or phone number should be provided on signup.',
        )
  }
}

type SignUpParams = { email: string; encryptedPassword: string; data: Json }

/** The account, unconfirmed unless `autoconfirm` is on; null when the address is taken. */
async function saveSignUp(
  query: Query,
  order: SignUpParams,
  call: Call,
  accounts: Accounts,
  challenge: Challenge | null,
): Promise<User | null> {
  const found = await findUserByEmail(query, order.email)
  if (accounts.settings.autoconfirm) {
    return found ? rejectTaken(query, found, call) : signUpConfirmed(query, order, call)
  }
  const newUser = { id: call.randomId(), userMetadata: order.data, isSignUp: true, ...order }
  const { id } = found ?? (await insertUser(query, newUser, call.now))
  // Reloaded under the lock: after a concurrent confirmation the password must not change.
  await lockUser(query, id)
  const user = await reloadUser(query, id)
  if (user.email_confirmed_at) {
    await sendNotice(query, { kind: 'existing_account', user }, call, accounts)
    return rejectTaken(query, user, call)
  }
  // An invited owner chooses a password after opening the invitation, which is mailed again.
  const chosen = { userId: id, ...order }
  const pendingSignUp = user.invited_at ? null : await savePendingSignUp(query, chosen, call)
  await sendConfirmation(query, { user, pendingSignUp, challenge }, call, accounts)
  return user
}

async function rejectTaken(query: Query, actor: User, call: Call): Promise<null> {
  const entry = { action: 'user_repeated_signup', actor, address: call.clientAddress } as const
  await writeAuditLog(query, entry, call.now)
  return null
}

async function signUpConfirmed(query: Query, order: SignUpParams, call: Call): Promise<User> {
  const newUser = { id: call.randomId(), userMetadata: order.data, isSignUp: true, ...order }
  const user = await insertUser(query, newUser, call.now)
  await updateUser(query, user.id, { email_confirmed_at: call.now }, call.now)
  const entry = { action: 'user_signedup', actor: user, address: call.clientAddress } as const
  await writeAuditLog(query, entry, call.now)
  return reloadUser(query, user.id)
}

// Identical for a first or repeated sign-up and an invited address: reveals nothing that others or an admin entered.
function pendingUser({ id, email }: User, order: SignUpParams, call: Call): Json {
  const now = call.now.toISOString()
  const verified = { email_verified: false, phone_verified: false }
  const user_metadata = { ...order.data, sub: id, email, ...verified }
  const identity = {
    identity_id: call.randomId(),
    id,
    user_id: id,
    identity_data: user_metadata,
    provider: 'email',
    last_sign_in_at: now,
    created_at: now,
    updated_at: now,
    email,
  }
  return {
    ...placeholderUser(order, call),
    id,
    role: AUDIENCE,
    user_metadata,
    identities: [identity],
  }
}

// Looks like the response to a first sign-up, but belongs to no account.
function placeholderUser(order: SignUpParams, call: Call): Json {
  const now = call.now.toISOString()
  return {
    id: call.randomId(),
    aud: AUDIENCE,
    role: '',
    email: order.email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: order.data,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  }
}

async function signInImmediately(user: User, call: Call, accounts: Accounts) {
  const signIn = await accounts.database.transaction(async (query) => {
    const entry = { action: 'login', actor: user, address: call.clientAddress } as const
    await writeAuditLog(query, entry, call.now)
    return openSession(query, user, 'password', call)
  })
  return describeSession({ ...user, last_sign_in_at: call.now }, signIn, call, accounts)
}
