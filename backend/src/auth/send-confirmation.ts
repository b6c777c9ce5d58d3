import type { Query } from '#postgres/statement.ts'
import type { Accounts, Call } from './action.ts'
import { writeAuditLog } from './audit-log.ts'
import { rememberChallenge, type Challenge } from './code-challenge.ts'
import { sendLink } from './send-link.ts'
import { updateUser, type User } from './users.ts'

/** Mails the link that confirms a new account; earlier ones stop working. */
export async function sendConfirmation(
  query: Query,
  user: User,
  challenge: Challenge | null,
  call: Call,
  accounts: Accounts,
): Promise<void> {
  await updateUser(query, user.id, { confirmation_sent_at: call.now }, call.now)
  if (challenge) {
    const flow = { userId: user.id, method: 'email/signup', challenge } as const
    await rememberChallenge(query, flow, call.now)
  }
  await sendLink(
    query,
    {
      user,
      kind: 'confirmation',
      tokenType: 'confirmation_token',
      linkType: 'signup',
      email: user.email ?? '',
      isPkce: challenge !== null,
    },
    call,
    accounts,
  )
  await writeAuditLog(
    query,
    { action: 'user_confirmation_requested', actor: user, address: call.clientAddress },
    call.now,
  )
}

/** Mails the link that opens an account without its password: to sign in, or to choose a new one. */
export async function sendOpeningLink(
  query: Query,
  user: User,
  purpose: 'recovery' | 'magiclink',
  challenge: Challenge | null,
  call: Call,
  accounts: Accounts,
): Promise<void> {
  await updateUser(query, user.id, { recovery_sent_at: call.now }, call.now)
  if (challenge) {
    await rememberChallenge(query, { userId: user.id, method: purpose, challenge }, call.now)
  }
  await sendLink(
    query,
    {
      user,
      kind: purpose === 'recovery' ? 'recovery' : 'magic_link',
      tokenType: 'recovery_token',
      linkType: purpose,
      email: user.email ?? '',
      isPkce: challenge !== null,
    },
    call,
    accounts,
  )
  await writeAuditLog(
    query,
    { action: 'user_recovery_requested', actor: user, address: call.clientAddress },
    call.now,
  )
}
