import * as v from 'valibot'
import { ServiceError } from '#http/service-error.ts'
import type { Query } from '#postgres/statement.ts'
import { metadata, readBody, text, type Accounts, type Action, type Call } from './action.ts'
import { writeAuditLog } from './audit-log.ts'
import { checkChallenge, type Challenge } from './code-challenge.ts'
import { parseEmailAddress } from './email-address.ts'
import { authErrors } from './errors.ts'
import { describeSession, openSession } from './open-session.ts'
import { requireStrongPassword } from './password-strength.ts'
import { sendConfirmation } from './send-confirmation.ts'
import { requireMailAllowed } from './send-link.ts'
import { userJson } from './user-json.ts'
import {
  AUDIENCE,
  findUserByEmail,
  insertUser,
  reloadUser,
  saveEmailIdentity,
  updateUser,
  type Json,
  type User,
} from './users.ts'

const bodySchema = v.object({
  email: text,
  phone: text,
  password: text,
  data: metadata,
  code_challenge: text,
  code_challenge_method: text,
})

/** POST /signup: a new account, which its owner confirms by mail. */
export const signUp: Action = async (call, accounts) => {
  const { settings, passwords } = accounts
  if (settings.signUpDisabled) throw authErrors.signUpDisabled()
  const body = await readBody(call.request, bodySchema)
  requireEmailSignUp(body)
  requireStrongPassword(body.password, settings)
  const isPkce = checkChallenge(body)
  const email = parseEmailAddress(body.email)
  if (!settings.autoconfirm) await requireMailAllowed(email, 'signup', call, accounts)

  // Always hashed, and before any look at the accounts, so that the time tells nothing.
  const encryptedPassword = await passwords.hash(body.password)
  const order = { email, encryptedPassword, data: body.data ?? {} }
  const save = () =>
    accounts.database.transaction((query) =>
      saveSignUp(query, order, call, accounts, isPkce ? body : null),
    )
  // Whoever loses a race for an address finds it taken the second time, and is answered like everybody else.
  const user = await save().catch((error: unknown) =>
    isTaken(error) ? save() : Promise.reject(error as Error),
  )
  if (!user) {
    if (settings.autoconfirm) throw authErrors.userAlreadyExists()
    return Response.json(strangersView(order, call))
  }
  if (!user.email_confirmed_at) return Response.json(pendingView(user, order))
  return Response.json(await signInAtOnce(user, call, accounts))
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

export type SignUpOrder = { email: string; encryptedPassword: string; data: Json }

/** The account waiting for its confirmation (or confirmed at once); null when a confirmed one has the address. */
export async function saveSignUp(
  query: Query,
  order: SignUpOrder,
  call: Call,
  accounts: Accounts,
  challenge: Challenge | null,
): Promise<User | null> {
  const { settings } = accounts
  const actor = (user: User) => ({ actor: user, address: call.clientAddress })
  const known = await findUserByEmail(query, order.email)
  if (known?.email_confirmed_at) {
    await writeAuditLog(query, { action: 'user_repeated_signup', ...actor(known) }, call.now)
    return null
  }
  const user = known
    ? await startOver(query, known, order, call.now)
    : await insertUser(query, { id: call.randomId(), userMetadata: order.data, ...order }, call.now)
  if (settings.autoconfirm) {
    await updateUser(query, user.id, { email_confirmed_at: call.now }, call.now)
    await writeAuditLog(query, { action: 'user_signedup', ...actor(user) }, call.now)
    return reloadUser(query, user.id)
  }
  await sendConfirmation(query, user, challenge, call, accounts)
  return reloadUser(query, user.id)
}

// Unlike hosted Supabase, the latest sign-up counts: its password and names go with the mail that was sent for it, and
// earlier links die. Otherwise whoever signs a stranger's address up first would know the password once it is confirmed.
async function startOver(query: Query, known: User, order: SignUpOrder, now: Date): Promise<User> {
  const forgotten = known.invited_at ? {} : emptied(known.raw_user_meta_data ?? {})
  const changes = {
    encrypted_password: order.encryptedPassword,
    raw_user_meta_data: {
      ...forgotten,
      ...order.data,
      ...{ sub: known.id, email: order.email, email_verified: false, phone_verified: false },
    },
  }
  await updateUser(query, known.id, changes, now)
  await saveEmailIdentity(query, known.id, { ...order.data, email: order.email }, now)
  return reloadUser(query, known.id)
}

function emptied(data: Json): Json {
  return Object.fromEntries(Object.keys(data).map((key) => [key, null]))
}

// What an administrator wrote about somebody invited is not for whoever types in the address.
function pendingView(user: User, order: SignUpOrder): Json {
  const view = userJson(user)
  return user.invited_at ? { ...view, user_metadata: order.data, identities: [] } : view
}

// What a first sign-up would have answered, about nobody.
function strangersView(order: SignUpOrder, call: Call): Json {
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

async function signInAtOnce(user: User, call: Call, accounts: Accounts) {
  const signIn = await accounts.database.transaction(async (query) => {
    const entry = { action: 'login', actor: user, address: call.clientAddress } as const
    await writeAuditLog(query, entry, call.now)
    return openSession(query, user, 'password', call)
  })
  return describeSession({ ...user, last_sign_in_at: call.now }, signIn, call, accounts)
}
