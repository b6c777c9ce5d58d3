// Redeems a link or code, for both GET and POST /verify.
import type { Accounts, Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import {
  clearEmailIdentity,
  isBanned,
  lockUser,
  NO_PASSWORD,
  reloadUser,
  saveEmailIdentity,
  updateUser,
  type Json,
  type User,
  type UserChanges,
  NO_EMAIL_CHANGE,
} from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'
import { writeAuditLog } from './audit-log.ts'
import {
  deleteOneTimeTokens,
  EMAIL_CHANGE_TOKENS,
  isUnused,
  type OneTimeToken,
  type TokenType,
} from './one-time-tokens.ts'
import {
  deletePendingSignUps,
  deleteUnprovenAccount,
  findPendingSignUp,
} from './pending-sign-ups.ts'
import { sendNotice } from './send-link.ts'

/** Token types that each `type` of /verify may redeem. */
const TOKENS_OF_TYPE: Readonly<Record<string, readonly TokenType[]>> = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  magiclink: ['recovery_token'],
  recovery: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: EMAIL_CHANGE_TOKENS,
}

export function tokensOfType(type: string): readonly TokenType[] | undefined {
  return Object.hasOwn(TOKENS_OF_TYPE, type) ? TOKENS_OF_TYPE[type] : undefined
}

export const FIRST_OF_TWO_CONFIRMED =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** @returns the updated user, or null when a changed address still needs its second confirmation */
export async function redeemToken(
  query: Query,
  token: OneTimeToken,
  call: Call,
  accounts: Accounts,
): Promise<User | null> {
  await lockUser(query, token.user_id)
  if (!(await isUnused(query, token))) throw authErrors.linkExpired()
  const user = await reloadUser(query, token.user_id)
  if (isBanned(user, call.now.getTime())) throw authErrors.userBanned(403)
  switch (token.token_type) {
    case 'confirmation_token':
      await confirmEmail(query, user, token.pending_sign_up, call)
      break
    case 'recovery_token':
      await deleteOneTimeTokens(query, user.id, ['recovery_token'])
      if (user.email_confirmed_at) await audit(query, 'login', user, call)
      else await confirmEmail(query, user, null, call)
      break
    default:
      if (!(await confirmEmailChange(query, user, token, call, accounts))) return null
  }
  return reloadUser(query, user.id)
}

/**
 * Confirms the address with the password and data of the sign-up whose mail was opened. Any other proof of the address, such
 * as a recovery link, activates no sign-up: its password may be another person's.
 */
async function confirmEmail(query: Query, user: User, pendingId: string | null, call: Call) {
  await deleteOneTimeTokens(query, user.id, ['confirmation_token'])
  if (user.email_confirmed_at) return audit(query, 'login', user, call)
  const pending = pendingId ? await findPendingSignUp(query, pendingId) : null
  const hadSignUps = await deletePendingSignUps(query, user.id)
  const password = pending?.encrypted_password ?? (hadSignUps ? NO_PASSWORD : null)
  const verified = { email: user.email, email_verified: true, phone_verified: false }
  const changes: UserChanges = {
    email_confirmed_at: call.now,
    ...(password === null ? {} : { encrypted_password: password }),
    raw_user_meta_data: pending
      ? { ...clearedMetadata(user), ...pending.user_metadata, sub: user.id, ...verified }
      : { email_verified: true },
  }
  await updateUser(query, user.id, changes, call.now)
  if (pending) await clearEmailIdentity(query, user.id)
  await saveEmailIdentity(query, user.id, { ...pending?.user_metadata, ...verified }, call.now)
  await audit(query, 'user_signedup', user, call)
}

// Keys set to null are removed. Metadata that an admin put into an invitation stays.
function clearedMetadata({ invited_at, raw_user_meta_data }: User): Json {
  const keys = invited_at ? [] : Object.keys(raw_user_meta_data ?? {})
  return Object.fromEntries(keys.map((key) => [key, null]))
}

async function confirmEmailChange(
  query: Query,
  user: User,
  token: OneTimeToken,
  call: Call,
  accounts: Accounts,
): Promise<boolean> {
  // It says nothing about any other address than the one it was mailed to.
  const address = token.token_type === 'email_change_token_new' ? user.email_change : user.email
  if (!user.email_change || token.relates_to !== address) throw authErrors.linkExpired()
  const isFirst = user.email_change_confirm_status === 0
  if (accounts.settings.secureEmailChange && isFirst && user.email) {
    await deleteOneTimeTokens(query, user.id, [token.token_type])
    await updateUser(query, user.id, { email_change_confirm_status: 1 }, call.now)
    return false
  }
  const email = user.email_change
  await deleteUnprovenAccount(query, email)
  await updateUser(
    query,
    user.id,
    {
      email,
      email_confirmed_at: call.now,
      ...NO_EMAIL_CHANGE,
      raw_user_meta_data: { email, email_verified: true },
    },
    call.now,
  )
  await saveEmailIdentity(query, user.id, { email, email_verified: true }, call.now)
  // Links mailed to the old address must no longer open the account.
  await deleteOneTimeTokens(query, user.id, [
    ...EMAIL_CHANGE_TOKENS,
    'recovery_token',
    'reauthentication_token',
  ])
  if (user.email) {
    const changed = {
      kind: 'email_changed',
      user: { ...user, email },
      oldEmail: user.email,
    } as const
    await sendNotice(query, changed, call, accounts)
  }
  await audit(query, 'user_modified', user, call)
  return true
}

function audit(
  query: Query,
  action: 'login' | 'user_signedup' | 'user_modified',
  actor: User,
  call: Call,
) {
  return writeAuditLog(query, { action, actor, address: call.clientAddress }, call.now)
}
