import * as v from 'valibot'
import { readBody, text, type Action } from './action.ts'
import { writeAuditLog } from './audit-log.ts'
import { authErrors } from './errors.ts'
import { describeSession } from './open-session.ts'
import {
  findRefreshToken,
  isRevoked,
  repeatLastAnswer,
  replaceRefreshToken,
  revokeFamily,
} from './refresh-tokens.ts'
import { findSignInMethod } from './sessions.ts'
import { findUserById, isBanned } from './users.ts'

const bodySchema = v.object({ refresh_token: text })

/** POST /token?grant_type=refresh_token */
export const refreshSession: Action = async (call, accounts) => {
  const { refresh_token: shown } = await readBody(call.request, bodySchema)
  if (shown === '') throw authErrors.validationFailed('Refresh token is not valid')

  const result = await accounts.database.transaction(async (query) => {
    const row = await findRefreshToken(query, shown)
    if (!row) throw authErrors.refreshTokenNotFound()
    const user = await findUserById(query, row.user_id)
    if (!user) throw authErrors.refreshTokenNotFound()
    if (isBanned(user, call.now.getTime())) throw authErrors.refreshUserBanned()
    if (row.not_after && row.not_after <= call.now) throw authErrors.sessionExpired()

    const next = (await isRevoked(query, row.id))
      ? await repeatLastAnswer(query, row, shown, {
          now: call.now,
          reuseSeconds: accounts.settings.refreshReuseSeconds,
        })
      : await replaceRefreshToken(query, row, shown, call.now)
    const entry = { actor: user, address: call.clientAddress }
    if (!next) {
      await revokeFamily(query, row.session_id, call.now)
      await writeAuditLog(query, { action: 'token_revoked', ...entry }, call.now)
      return null
    }
    await writeAuditLog(query, { action: 'token_refreshed', ...entry }, call.now)
    const proof = await findSignInMethod(query, row.session_id)
    return { user, signIn: { sessionId: row.session_id, refreshToken: next, ...proof } }
  })
  // Refused only now: the revocation has to be committed.
  if (!result) throw authErrors.refreshTokenUsed()
  return Response.json(await describeSession(result.user, result.signIn, call, accounts))
}
