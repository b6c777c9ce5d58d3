import type { Action } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { deleteFactor, requireFactor } from '#auth/factors/factor-rows.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { requireRecentProof } from '#auth/sessions/recent-proof.ts'
import { requireUser } from '#auth/sessions/require-user.ts'
import { lowerSessions } from '#auth/sessions/sessions.ts'
import { hasSecondFactor, lockUser, reloadUser } from '#auth/users.ts'

/** DELETE /factors/{id}: of an account with a second factor, only a session that has shown one removes any. */
export const unenrollFactor: Action = async (call, accounts) => {
  const id = await accounts.database.transaction(async (query) => {
    const { user: caller, sessionId, isAal2 } = await requireUser(query, call)
    await lockUser(query, caller.id)
    const user = await reloadUser(query, caller.id)
    const factor = requireFactor(user, call.id)
    // Otherwise its password's thief would be in the way of another factor that is being set up.
    if (hasSecondFactor(user) && !isAal2)
      throw authErrors.insufficientAal(422, 'AAL2 required to unenroll verified factor')
    requireRecentProof(call, accounts)
    await deleteFactor(query, factor.id)
    await lowerSessions(query, factor.id)
    const traits = { factor_id: factor.id, factor_status: factor.status, session_id: sessionId }
    const address = call.clientAddress
    await writeAuditLog(
      query,
      { action: 'factor_unenrolled', actor: user, traits, address },
      call.now,
    )
    return factor.id
  })
  return Response.json({ id })
}
