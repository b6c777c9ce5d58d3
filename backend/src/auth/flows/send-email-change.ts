import type { Accounts, Call } from '#auth/context.ts'
import { findUserByEmail, reloadUser, updateUser, type User } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'
import {
  deleteOneTimeTokens,
  EMAIL_CHANGE_TOKENS,
  issuedTypes,
  type TokenType,
} from './one-time-tokens.ts'
import { isUnproven } from './pending-sign-ups.ts'
import { saveChallenge, type Challenge } from './pkce.ts'
import { makeLink, sendLink, sendNotice, type LinkParams } from './send-link.ts'

/**
 * Mails a confirmation link to the new address and, if required, to the old one. Where the new address has an
 * account or an invitation, its owner learns that instead of getting a link; to the caller nothing differs.
 */
export async function sendEmailChange(
  query: Query,
  user: User,
  newEmail: string,
  challenge: Challenge | null,
  call: Call,
  accounts: Accounts,
): Promise<void> {
  await updateUser(
    query,
    user.id,
    {
      email_change: newEmail,
      email_change_sent_at: call.now,
      email_change_confirm_status: 0,
    },
    call.now,
  )
  await deleteOneTimeTokens(query, user.id, EMAIL_CHANGE_TOKENS)
  await mailLinks(
    query,
    user.id,
    { types: EMAIL_CHANGE_TOKENS, newEmail, challenge },
    call,
    accounts,
  )
}

/**
 * Mails the links of a pending change again, to the addresses that have yet to confirm it. Anybody may ask for that, so the earlier
 * links stay valid and a confirmation stays. If all links of a half-confirmed change are gone, the change starts over.
 */
export async function sendEmailChangeAgain(
  query: Query,
  user: User,
  newEmail: string,
  challenge: Challenge | null,
  call: Call,
  accounts: Accounts,
): Promise<void> {
  const isHalfConfirmed = user.email_change_confirm_status !== 0
  const types = isHalfConfirmed
    ? await issuedTypes(query, user.id, EMAIL_CHANGE_TOKENS)
    : EMAIL_CHANGE_TOKENS
  if (types.length === 0) return sendEmailChange(query, user, newEmail, challenge, call, accounts)
  await updateUser(query, user.id, { email_change_sent_at: call.now }, call.now)
  await mailLinks(query, user.id, { types, newEmail, challenge }, call, accounts)
}

type Wanted = { types: readonly TokenType[]; newEmail: string; challenge: Challenge | null }

async function mailLinks(
  query: Query,
  userId: string,
  { types, newEmail, challenge }: Wanted,
  call: Call,
  accounts: Accounts,
): Promise<void> {
  const method = 'email_change'
  const flow = await saveChallenge(query, { userId, method, challenge }, call.now)
  const user = await reloadUser(query, userId)
  const order: LinkParams = {
    user,
    kind: 'email_change',
    tokenType: 'email_change_token_new',
    linkType: 'email_change',
    email: newEmail,
    flow,
  }
  if (types.includes('email_change_token_new')) {
    const owner = await findUserByEmail(query, newEmail)
    if (owner && !(await isUnproven(query, owner.id))) {
      const isInvited = owner.invited_at !== null && !owner.email_confirmed_at
      const kind = isInvited ? 'existing_invitation' : 'existing_account'
      await sendNotice(query, { kind, user: owner }, call, accounts)
      // A link that nobody gets, so that all that is seen from outside is as with any other address.
      const unsent = { ...order, hasCode: false }
      await makeLink(query, unsent, call, accounts.settings, accounts.settings.siteUrl)
    } else await sendLink(query, order, call, accounts)
  }
  const { secureEmailChange } = accounts.settings
  if (secureEmailChange && user.email && types.includes('email_change_token_current')) {
    const tokenType = 'email_change_token_current'
    const current = {
      ...order,
      kind: 'email_change_current',
      tokenType,
      email: user.email,
    } as const
    await sendLink(query, current, call, accounts)
  }
}
