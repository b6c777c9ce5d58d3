import type { Accounts, Call } from '#auth/context.ts'
import { findUserByEmail, reloadUser, updateUser, type User } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'
import { deleteOneTimeTokens, EMAIL_CHANGE_TOKENS } from './one-time-tokens.ts'
import { isUnproven } from './pending-sign-ups.ts'
import { saveChallenge, type Challenge } from './pkce.ts'
import { sendLink, sendNotice, type LinkParams } from './send-link.ts'

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
  // Where the new address is taken, no link replaces that of an earlier change.
  await deleteOneTimeTokens(query, user.id, EMAIL_CHANGE_TOKENS)
  const method = 'email_change'
  const flow = await saveChallenge(query, { userId: user.id, method, challenge }, call.now)
  const changed = await reloadUser(query, user.id)
  const order: LinkParams = {
    user: changed,
    kind: 'email_change',
    tokenType: 'email_change_token_new',
    linkType: 'email_change',
    email: newEmail,
    flow,
  }
  const owner = await findUserByEmail(query, newEmail)
  if (owner && !(await isUnproven(query, owner.id))) {
    const isInvited = owner.invited_at !== null && !owner.email_confirmed_at
    const kind = isInvited ? 'existing_invitation' : 'existing_account'
    await sendNotice(query, { kind, user: owner }, call, accounts)
  } else await sendLink(query, order, call, accounts)
  if (accounts.settings.secureEmailChange && user.email) {
    await sendLink(
      query,
      {
        ...order,
        kind: 'email_change_current',
        tokenType: 'email_change_token_current',
        email: user.email,
      },
      call,
      accounts,
    )
  }
}
