import * as v from 'valibot'
import { readBody, text, type Action } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { describeSession } from '#auth/sessions/open-session.ts'
import {
  findRefreshToken,
  isRevoked,
  repeatLastToken,
  replaceRefreshToken,
  revokeFamily,
} from '#auth/sessions/refresh-tokens.ts'
import { findProofs } from '#auth/sessions/sessions.ts'
import { findUserById, isBanned } from '#auth/users.ts'

const bodySchema = v.object({ refresh_token: text })

/** POST /token?grant_type=refresh_token */
export const refreshSession: Action = async (call, accounts) => {
  const { refresh_token: presented } = await readBody(call.request, bodySchema)
  if (presented === '') throw authErrors.validationFailed('Refresh token is not valid')

  const result = await accounts.database.transaction(async (query) => {
    const row = await findRefreshToken(query, presented)
    if (!row) throw authErrors.refreshTokenNotFound()
    const user = await findUserById(query, row.user_id)
    if (!user) throw authErrors.refreshTokenNotFound()
    if (isBanned(user, call.now.getTime())) throw authErrors.refreshUserBanned()
    if (row.not_after && row.not_after <= call.now) throw authErrors.sessionExpired()

    const wasReplaced = await isRevoked(query, row.id)
    if (wasReplaced === null) throw authErrors.refreshTokenNotFound()
    const reuseSeconds = accounts.settings.refreshReuseSeconds
    const next = wasReplaced
      ? await repeatLastToken(query, row, presented, { now: call.now, reuseSeconds })
      : await replaceRefreshToken(query, row, presented, call.now)
    const entry = { actor: user, address: call.clientAddress }
    if (!next) {
      await revokeFamily(query, row.session_id, call.now)
      await writeAuditLog(query, { action: 'token_revoked', ...entry }, call.now)
      return null
    }
    await writeAuditLog(query, { action: 'token_refreshed', ...entry }, call.now)
    const proofs = await findProofs(query, row.session_id)
    return { user, signIn: { sessionId: row.session_id, refreshToken: next, proofs } }
  })
  // Thrown outside the transaction, so that the revocation is committed.
  if (!result) throw authErrors.refreshTokenUsed()
  return Response.json(await describeSession(result.user, result.signIn, call, accounts))
}
