import type { Action } from '#auth/context.ts'
import { deleteFactor, requireFactor } from '#auth/factors/factor-rows.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { requireServiceRole } from '#auth/sessions/require-user.ts'
import { lowerSessions } from '#auth/sessions/sessions.ts'
import { factorJson } from '#auth/user-json.ts'
import { requireUserById } from './admin-read-users.ts'

/** GET /admin/users/{id}/factors, for trusted servers */
export const adminListFactors: Action = async (call, { database }) => {
  requireServiceRole(call)
  const user = await requireUserById((statement) => database.query(statement), call)
  return Response.json(user.factors.map(factorJson))
}

/** DELETE /admin/users/{id}/factors/{id}, for trusted servers */
export const adminDeleteFactor: Action = async (call, { database }) => {
  requireServiceRole(call)
  const factor = await database.transaction(async (query) => {
    const user = await requireUserById(query, call)
    const found = requireFactor(user, call.innerId)
    await deleteFactor(query, found.id)
    await lowerSessions(query, found.id)
    const traits = { user_id: user.id, factor_id: found.id }
    const address = call.clientAddress
    await writeAuditLog(query, { action: 'factor_deleted', actor: user, traits, address }, call.now)
    return found
  })
  return Response.json(factorJson(factor))
}
