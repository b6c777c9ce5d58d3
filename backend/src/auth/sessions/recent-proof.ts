// A stolen access token can do what its session can. Actions that would keep the account's owner out take a token that says that its
// owner has just signed in or shown a second factor; one from before does not say what was shown since.
import type { Accounts, Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { LIMITS } from '#auth/limits.ts'
import { lockUser } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'
import type { AuthenticatedUser } from './require-user.ts'
import { shownProofs } from './shown-proofs.ts'

type Settings = Pick<Accounts, 'settings'>

/** The methods of the token's `amr` claim that were shown within 15 minutes. */
export function recentMethods({ caller, now }: Pick<Call, 'caller' | 'now'>): string[] {
  const since = (now.getTime() - LIMITS.recentProofMs) / 1000
  return shownProofs(caller.claims)
    .filter(({ timestamp }) => timestamp >= since)
    .map(({ method }) => method)
}

/** @throws reauthentication_needed */
export function requireRecentProof(call: Call, { settings }: Settings): void {
  if (settings.requireRecentProof && recentMethods(call).length === 0)
    throw authErrors.recentProofRequired(400)
}

/**
 * @param ended the session that the caller would end; null: all others
 * @throws reauthentication_needed when its owner has just signed in or shown a second factor, and the caller has not
 */
export async function requireMayEnd(
  query: Query,
  { user, sessionId }: AuthenticatedUser,
  ended: string | null,
  call: Call,
  { settings }: Settings,
): Promise<void> {
  if (!settings.requireRecentProof || recentMethods(call).length > 0) return
  // A sign-in at the same moment writes the account, too: the session is seen, or begins afterwards.
  await lockUser(query, user.id)
  const { rowCount } = await query({
    text: `
      select from auth.sessions s join auth.mfa_amr_claims proof on proof.session_id = s.id
      where s.user_id = $1 and s.id <> $2 and ($3::uuid is null or s.id = $3) and proof.updated_at > $4
      limit 1`,
    values: [user.id, sessionId, ended, new Date(call.now.getTime() - LIMITS.recentProofMs)],
  })
  if (rowCount) throw authErrors.sessionTooRecent()
}
