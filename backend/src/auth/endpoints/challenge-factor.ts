import type { Action } from '#auth/context.ts'
import { insertChallenge, requireFactor } from '#auth/factors/factor-rows.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { LIMITS } from '#auth/limits.ts'
import { requireUser } from '#auth/sessions/require-user.ts'

/** POST /factors/{id}/challenge: opens a challenge, which a code of the factor answers. */
export const challengeFactor: Action = async (call, { database }) => {
  const { user } = await requireUser((statement) => database.query(statement), call, {
    mayPrecedeCode: true,
  })
  const factor = requireFactor(user, call.id)
  const id = await database.transaction(async (query) => {
    const traits = { factor_id: factor.id, factor_status: factor.status }
    const address = call.clientAddress
    await writeAuditLog(
      query,
      { action: 'challenge_created', actor: user, traits, address },
      call.now,
    )
    return insertChallenge(query, factor.id, call)
  })
  const expiresAt = Math.floor((call.now.getTime() + LIMITS.challengeMs) / 1000)
  return Response.json({ id, type: factor.factor_type, expires_at: expiresAt })
}
