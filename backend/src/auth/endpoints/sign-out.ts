import type { Action } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { requireMayEnd } from '#auth/sessions/recent-proof.ts'
import { requireFullSession, requireUser } from '#auth/sessions/require-user.ts'
import { endSessions } from '#auth/sessions/sessions.ts'

/** POST /logout?scope=global|local|others; the password alone ends its own session and no other. */
export const signOut: Action = async (call, accounts) => {
  const scope = call.url.searchParams.get('scope') ?? 'global'
  if (scope !== 'global' && scope !== 'local' && scope !== 'others') {
    throw authErrors.validationFailed(`Unsupported logout scope "${scope}"`)
  }
  await accounts.database.transaction(async (query) => {
    const caller = await requireUser(query, call)
    if (scope !== 'local') {
      requireFullSession(caller, 'AAL2 required to end other sessions')
      await requireMayEnd(query, caller, null, call, accounts)
    }
    const { user, sessionId } = caller
    const entry = { action: 'logout', actor: user, address: call.clientAddress } as const
    await writeAuditLog(query, entry, call.now)
    await endSessions(query, user.id, scope, sessionId)
  })
  return new Response(null, { status: 204 })
}
