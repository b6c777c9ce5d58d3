import type { Query } from '#postgres/statement.ts'
import type { Accounts, Call } from './action.ts'
import { rememberChallenge, type Challenge } from './code-challenge.ts'
import { sendLink, type LinkOrder } from './send-link.ts'
import { reloadUser, updateUser, type User } from './users.ts'

/** Asks the owner of the new address to confirm it, and the owner of the old one to agree. */
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
  if (challenge) {
    const flow = { userId: user.id, method: 'email_change', challenge } as const
    await rememberChallenge(query, flow, call.now)
  }
  const changed = await reloadUser(query, user.id)
  const order: LinkOrder = {
    user: changed,
    kind: 'email_change',
    tokenType: 'email_change_token_new',
    linkType: 'email_change',
    email: newEmail,
    isPkce: challenge !== null,
  }
  await sendLink(query, order, call, accounts)
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
