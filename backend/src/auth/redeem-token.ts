// What a used link or code does to the account, the same for GET and POST /verify.
import type { Query } from '#postgres/statement.ts'
import type { Accounts, Call } from './action.ts'
import { allowNextMail } from './send-link.ts'
import { writeAuditLog } from './audit-log.ts'
import { authErrors } from './errors.ts'
import { deleteOneTimeTokens, type OneTimeToken, type TokenType } from './one-time-tokens.ts'
import type { SignInMethod } from './sessions.ts'
import {
  isBanned,
  lockUser,
  reloadUser,
  saveEmailIdentity,
  updateUser,
  type User,
  type UserChanges,
} from './users.ts'

/** Which stored tokens a `type` of /verify may redeem. */
const TOKENS_OF_TYPE: Readonly<Record<string, readonly TokenType[]>> = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  magiclink: ['recovery_token'],
  recovery: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_current', 'email_change_token_new'],
}

export function tokensOfType(type: string): readonly TokenType[] | undefined {
  return Object.hasOwn(TOKENS_OF_TYPE, type) ? TOKENS_OF_TYPE[type] : undefined
}

export const ONE_OF_TWO =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** The user after the redemption, or null when a changed address waits for its second confirmation. */
export async function redeemToken(
  query: Query,
  token: OneTimeToken,
  call: Call,
  accounts: Accounts,
): Promise<User | null> {
  await lockUser(query, token.user_id)
  const user = await reloadUser(query, token.user_id)
  if (isBanned(user, call.now.getTime())) throw authErrors.userBanned(403)
  switch (token.token_type) {
    case 'confirmation_token':
      await confirmEmail(query, user, call)
      break
    case 'recovery_token':
      await deleteOneTimeTokens(query, user.id, ['recovery_token'])
      if (user.email_confirmed_at) await audit(query, 'login', user, call)
      else await confirmEmail(query, user, call)
      break
    default:
      if (!(await confirmEmailChange(query, user, token, call, accounts))) return null
  }
  return reloadUser(query, user.id)
}

/** After the commit: the next mail of the kind need not wait. */
export async function forgetSpacing(user: User, accounts: Accounts): Promise<void> {
  for (const purpose of ['signup', 'recovery', 'magiclink']) {
    await allowNextMail(user.email ?? '', purpose, accounts)
  }
}

async function confirmEmail(query: Query, user: User, call: Call) {
  const changes: UserChanges = {
    email_confirmed_at: user.email_confirmed_at ?? call.now,
    raw_user_meta_data: { email_verified: true },
  }
  await deleteOneTimeTokens(query, user.id, ['confirmation_token'])
  await updateUser(query, user.id, changes, call.now)
  await saveEmailIdentity(
    query,
    user.id,
    { email: user.email, email_verified: true, phone_verified: false },
    call.now,
  )
  await audit(query, 'user_signedup', user, call)
}

async function confirmEmailChange(
  query: Query,
  user: User,
  token: OneTimeToken,
  call: Call,
  { settings }: Accounts,
): Promise<boolean> {
  if (!user.email_change) throw authErrors.linkExpired()
  const isFirst = user.email_change_confirm_status === 0
  if (settings.secureEmailChange && isFirst && user.email) {
    await deleteOneTimeTokens(query, user.id, [token.token_type])
    await updateUser(query, user.id, { email_change_confirm_status: 1 }, call.now)
    return false
  }
  const email = user.email_change
  await updateUser(
    query,
    user.id,
    {
      email,
      email_confirmed_at: call.now,
      email_change: '',
      email_change_sent_at: null,
      email_change_confirm_status: 0,
      raw_user_meta_data: { email, email_verified: true },
    },
    call.now,
  )
  await saveEmailIdentity(query, user.id, { email, email_verified: true }, call.now)
  // Links that were mailed to the old address must not open the account any more.
  await deleteOneTimeTokens(query, user.id, [
    'email_change_token_current',
    'email_change_token_new',
    'recovery_token',
    'reauthentication_token',
  ])
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

/** GoTrue names the proof in a PKCE session after the link. */
export function methodOfLink(type: string): SignInMethod {
  switch (type) {
    case 'signup':
      return 'email/signup'
    case 'recovery':
    case 'invite':
    case 'email_change':
      return type
    default:
      return 'magiclink'
  }
}
