import type { Accounts, Call } from '#auth/context.ts'
import { updateUser, type User } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'
import { writeAuditLog } from './audit-log.ts'
import { saveChallenge, type Challenge } from './pkce.ts'
import { sendLink } from './send-link.ts'

export type Confirmation = {
  user: User
  /** The sign-up that the link activates; null only confirms the address. */
  pendingSignUp: string | null
  challenge: Challenge | null
}

/** Mails a link that confirms an account; an invited user receives the invitation again. */
export async function sendConfirmation(
  query: Query,
  { user, pendingSignUp, challenge }: Confirmation,
  call: Call,
  accounts: Accounts,
): Promise<void> {
  await updateUser(query, user.id, { confirmation_sent_at: call.now }, call.now)
  const isInvited = user.invited_at !== null
  const method = isInvited ? 'invite' : 'email/signup'
  const flow = await saveChallenge(query, { userId: user.id, method, challenge }, call.now)
  await sendLink(
    query,
    {
      user,
      kind: isInvited ? 'invite' : 'confirmation',
      tokenType: 'confirmation_token',
      linkType: isInvited ? 'invite' : 'signup',
      email: user.email ?? '',
      flow,
      pendingSignUp,
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

/** Mails a link that opens an account without its password, to sign in or choose a new one. */
export async function sendAccessLink(
  query: Query,
  user: User,
  purpose: 'recovery' | 'magiclink',
  challenge: Challenge | null,
  call: Call,
  accounts: Accounts,
): Promise<void> {
  await updateUser(query, user.id, { recovery_sent_at: call.now }, call.now)
  const started = { userId: user.id, method: purpose, challenge }
  const flow = await saveChallenge(query, started, call.now)
  await sendLink(
    query,
    {
      user,
      kind: purpose === 'recovery' ? 'recovery' : 'magic_link',
      tokenType: 'recovery_token',
      linkType: purpose,
      email: user.email ?? '',
      flow,
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
