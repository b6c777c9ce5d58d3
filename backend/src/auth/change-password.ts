import type { Query } from '#postgres/statement.ts'
import type { Accounts, Call } from './action.ts'
import { writeAuditLog } from './audit-log.ts'
import type { CallerUser } from './caller-user.ts'
import { authErrors } from './errors.ts'
import { ServiceError } from '#http/service-error.ts'
import { ALL_TOKEN_TYPES, deleteOneTimeTokens } from './one-time-tokens.ts'
import { provePassword } from './prove-password.ts'
import { redeemReauthentication } from './reauthenticate.ts'
import { endSessions, findSignInMethod } from './sessions.ts'
import { updateUser } from './users.ts'

/** A session this young needs no further proof that its owner sits at the device. */
const FRESH_SESSION_MS = 24 * 60 * 60_000

type Wish = { password: string; currentPassword: string; nonce: string }

/** Checks everything a new password needs and hashes it, all before the transaction: hashing takes its time. */
export async function prepareNewPassword(
  caller: CallerUser,
  wish: Wish,
  call: Call,
  accounts: Accounts,
): Promise<string> {
  const { settings, passwords, limits } = accounts
  if (needsReauthentication(caller, call, settings)) {
    if (wish.nonce === '') throw authErrors.reauthenticationNeeded()
    const wait = await limits.use('wrongCode', caller.user.email ?? '')
    if (wait > 0) throw authErrors.tooManyRequests(wait)
  }
  const stored = caller.user.encrypted_password
  if (stored) {
    await requireCurrentPassword(caller, wish, call, accounts)
    if ((await passwords.verify(wish.password, stored)).matches) throw authErrors.samePassword()
  }
  return passwords.hash(wish.password)
}

/** Saves the password, ends every other session and makes the links that were mailed before worthless. */
export async function changePassword(
  query: Query,
  caller: CallerUser,
  { encryptedPassword, nonce }: { encryptedPassword: string; nonce: string },
  call: Call,
  accounts: Accounts,
): Promise<void> {
  const { user, sessionId } = caller
  if (needsReauthentication(caller, call, accounts.settings)) {
    await redeemReauthentication(query, user, nonce, call.now)
  }
  await updateUser(query, user.id, { encrypted_password: encryptedPassword }, call.now)
  await endSessions(query, user.id, 'others', sessionId)
  await deleteOneTimeTokens(query, user.id, ALL_TOKEN_TYPES)
  await writeAuditLog(
    query,
    { action: 'user_updated_password', actor: user, address: call.clientAddress },
    call.now,
  )
}

function needsReauthentication(
  { sessionStartedAt }: CallerUser,
  { now }: Call,
  settings: Accounts['settings'],
): boolean {
  const age = now.getTime() - sessionStartedAt.getTime()
  return settings.requireReauthentication && age > FRESH_SESSION_MS
}

// A current password that is given is checked even where none is asked for: the app that sends it means it.
async function requireCurrentPassword(
  { user, sessionId }: CallerUser,
  { currentPassword }: Wish,
  call: Call,
  accounts: Accounts,
) {
  if (currentPassword === '') {
    if (!accounts.settings.requireCurrentPassword) return
    const { database } = accounts
    const proof = await findSignInMethod((statement) => database.query(statement), sessionId)
    // Who came by a mailed link may have forgotten it.
    if (proof.method !== 'password') return
    throw authErrors.currentPasswordRequired()
  }
  const email = user.email ?? ''
  const findUser = () => Promise.resolve(user)
  try {
    await provePassword({ email, password: currentPassword, findUser }, call, accounts)
  } catch (cause) {
    if (cause instanceof ServiceError && cause.code === 'invalid_credentials') {
      throw authErrors.currentPasswordWrong({ cause })
    }
    throw cause
  }
}
