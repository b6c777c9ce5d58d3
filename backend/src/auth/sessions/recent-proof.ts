// A stolen access token can do what its session can. What would keep the account's owner out takes a session that has just proved to
// be theirs.
import type { Accounts, Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { LIMITS } from '#auth/limits.ts'
import { hasSecondFactor, lockUser } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'
import type { AuthenticatedUser } from './require-user.ts'
import { findProofs } from './sessions.ts'

type Settings = Pick<Accounts, 'settings'>

/** @throws reauthentication_needed */
export async function requireRecentProof(
  query: Query,
  { sessionId }: AuthenticatedUser,
  call: Call,
  { settings }: Settings,
): Promise<void> {
  if (settings.requireRecentProof && !(await hasRecentProof(query, sessionId, call)))
    throw authErrors.recentProofRequired()
}

/**
 * Of an account with a second factor only sessions that have shown it count: its password's thief is to be signed out.
 * @param ended the session that the caller would end; null: all others
 * @throws reauthentication_needed when it has just begun, and the caller's has not
 */
export async function requireMayEnd(
  query: Query,
  { user, sessionId }: AuthenticatedUser,
  ended: string | null,
  call: Call,
  { settings }: Settings,
): Promise<void> {
  if (!settings.requireRecentProof || (await hasRecentProof(query, sessionId, call))) return
  // A sign-in at the same moment writes the account, too: the session is seen, or begins afterwards.
  await lockUser(query, user.id)
  const { rowCount } = await query({
    text: `
      select from auth.sessions
      where user_id = $1 and id <> $2 and ($3::uuid is null or id = $3) and created_at > $4 and (aal >= 'aal2' or not $5)
      limit 1`,
    values: [user.id, sessionId, ended, recentSince(call), hasSecondFactor(user)],
  })
  if (rowCount) throw authErrors.sessionTooRecent()
}

async function hasRecentProof(query: Query, sessionId: string, call: Call): Promise<boolean> {
  const [latest] = await findProofs(query, sessionId)
  return latest !== undefined && latest.at >= recentSince(call)
}

const recentSince = ({ now }: Call) => new Date(now.getTime() - LIMITS.recentProofMs)
