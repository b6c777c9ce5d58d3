// An addition to the protocol: hosted Supabase has no endpoint for a user's sessions.
import type { Action } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { requireMayEnd } from '#auth/sessions/recent-proof.ts'
import { isUuid, requireFullSession, requireUser } from '#auth/sessions/require-user.ts'

const NEEDS_CODE = 'AAL2 session is required when MFA is enabled.'

/** GET /sessions: the caller's sessions, most recently used first. */
export const listSessions: Action = async (call, { database }) => {
  const query = (statement: Parameters<typeof database.query>[0]) => database.query(statement)
  const caller = await requireUser(query, call)
  requireFullSession(caller, NEEDS_CODE)
  const { user, sessionId } = caller
  const { rows } = await query({
    text: `
      select id, created_at, coalesce(refreshed_at at time zone 'utc', created_at) as last_used_at,
        user_agent, host(ip) as ip, id = $2 as is_current
      from auth.sessions where user_id = $1 and (not_after is null or not_after > $3)
      order by last_used_at desc`,
    values: [user.id, sessionId, call.now],
  })
  return Response.json({ sessions: rows })
}

/** DELETE /sessions/{id}: signs one device out. */
export const endSession: Action = async (call, accounts) => {
  await accounts.database.transaction(async (query) => {
    const caller = await requireUser(query, call)
    requireFullSession(caller, NEEDS_CODE)
    const { user } = caller
    if (!isUuid(call.id)) throw authErrors.sessionNotFound()
    await requireMayEnd(query, caller, call.id, call, accounts)
    const { rowCount } = await query({
      text: 'delete from auth.sessions where id = $1 and user_id = $2',
      values: [call.id, user.id],
    })
    if (!rowCount) throw authErrors.sessionNotFound()
    const entry = { action: 'logout', actor: user, address: call.clientAddress } as const
    await writeAuditLog(query, entry, call.now)
  })
  return new Response(null, { status: 204 })
}
