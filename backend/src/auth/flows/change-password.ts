import type { Accounts, Call } from '#auth/context.ts'
import { redeemReauthentication } from '#auth/endpoints/reauthenticate.ts'
import { authErrors } from '#auth/errors.ts'
import { verifyPassword } from '#auth/passwords/verify-password.ts'
import { recentMethods, requireRecentProof } from '#auth/sessions/recent-proof.ts'
import type { AuthenticatedUser } from '#auth/sessions/require-user.ts'
import { endSessions, MAILED_METHODS } from '#auth/sessions/sessions.ts'
import { hasSecondFactor, NO_EMAIL_CHANGE, updateUser } from '#auth/users.ts'
import { addressGroup } from '#http/client-address.ts'
import { ServiceError } from '#http/service-error.ts'
import type { Query } from '#postgres/statement.ts'
import { writeAuditLog } from './audit-log.ts'
import { ALL_TOKEN_TYPES, countCodeGuess, deleteOneTimeTokens } from './one-time-tokens.ts'
import { sendNotice } from './send-link.ts'

/** A session younger than this needs no reauthentication. */
const FRESH_MS = 24 * 60 * 60_000

type PasswordChange = { password: string; currentPassword: string; nonce: string }

/** Checks a new password and hashes it, before the transaction because hashing is slow. */
export async function prepareNewPassword(
  caller: AuthenticatedUser,
  change: PasswordChange,
  call: Call,
  accounts: Accounts,
): Promise<string> {
  const { settings, passwords, limits } = accounts
  const who = addressGroup(call.clientAddress)
  if (needsReauthentication(caller, call, settings)) {
    if (change.nonce === '') throw authErrors.reauthenticationNeeded()
    const wait = await limits.use('wrongCode', caller.user.email ?? '')
    if (wait > 0) throw authErrors.tooManyRequests(wait)
    const query: Query = (statement) => accounts.database.query(statement)
    const types = ['reauthentication_token'] as const
    await countCodeGuess(query, { email: caller.user.email ?? '', types })
  }
  // With the code, the session has begun a family of refresh tokens of which no copy from before is left.
  if (hasSecondFactor(caller.user)) requireRecentProof(call, accounts)
  await requireCurrentPassword(caller, change, call, accounts)
  const stored = caller.user.encrypted_password
  if (stored && (await passwords.verify(change.password, stored, who)).matches)
    throw authErrors.samePassword()
  return passwords.hash(change.password, who)
}

/**
 * Saves the password, ends all other sessions, invalidates mailed links, gives up a change of address that somebody may have begun
 * with them, and mails the owner that the password was changed.
 */
export async function changePassword(
  query: Query,
  caller: AuthenticatedUser,
  { encryptedPassword, nonce }: { encryptedPassword: string; nonce: string },
  call: Call,
  accounts: Accounts,
): Promise<void> {
  const { user, sessionId } = caller
  if (needsReauthentication(caller, call, accounts.settings)) {
    await redeemReauthentication(query, user, nonce, call.now)
  }
  const changed = { encrypted_password: encryptedPassword, ...NO_EMAIL_CHANGE }
  await updateUser(query, user.id, changed, call.now)
  await endSessions(query, user.id, 'others', sessionId)
  await deleteOneTimeTokens(query, user.id, ALL_TOKEN_TYPES)
  // The first password is no change.
  if (user.encrypted_password && user.email)
    await sendNotice(query, { kind: 'password_changed', user }, call, accounts)
  await writeAuditLog(
    query,
    { action: 'user_updated_password', actor: user, address: call.clientAddress },
    call.now,
  )
}

function needsReauthentication(
  { sessionStartedAt }: AuthenticatedUser,
  { now }: Call,
  settings: Accounts['settings'],
): boolean {
  const age = now.getTime() - sessionStartedAt.getTime()
  return settings.requireReauthentication && age > FRESH_MS
}

// A current password is verified if sent, even when it is not required.
async function requireCurrentPassword(
  { user }: AuthenticatedUser,
  { currentPassword }: PasswordChange,
  call: Call,
  accounts: Accounts,
) {
  if (currentPassword === '' || !user.encrypted_password) {
    if (!accounts.settings.requireCurrentPassword) return
    // A user who has just signed in with a mailed link may have forgotten it, or never had one.
    if (recentMethods(call).some((method) => MAILED_METHODS.includes(method))) return
    throw authErrors.currentPasswordRequired()
  }
  const email = user.email ?? ''
  const findUser = () => Promise.resolve(user)
  try {
    await verifyPassword({ email, password: currentPassword, findUser }, call, accounts)
  } catch (cause) {
    if (cause instanceof ServiceError && cause.code === 'invalid_credentials') {
      throw authErrors.currentPasswordWrong({ cause })
    }
    throw cause
  }
}
