import * as v from 'valibot'
import { readBody, text, type Action } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { matchesChallenge, consumeFlow } from '#auth/flows/pkce.ts'
import { describeSession, openSession } from '#auth/sessions/open-session.ts'
import { isBanned, reloadUser } from '#auth/users.ts'

const bodySchema = v.object({ auth_code: text, code_verifier: text })

/** POST /token?grant_type=pkce: exchanges the code from a link's redirect for a session. */
export const exchangeCode: Action = async (call, accounts) => {
  const { database, settings } = accounts
  const body = await readBody(call.request, bodySchema)
  if (body.auth_code === '' || body.code_verifier === '') {
    throw authErrors.validationFailed(
      'invalid request: both auth code and code verifier should be non-empty',
    )
  }
  const flow = await consumeFlow((statement) => database.query(statement), body.auth_code)
  if (!flow) throw authErrors.flowNotFound()
  const age = call.now.getTime() - flow.auth_code_issued_at.getTime()
  if (age > settings.flowStateSeconds * 1000) throw authErrors.flowExpired()
  if (!matchesChallenge(flow, body.code_verifier)) throw authErrors.badCodeVerifier()

  const { user, signIn } = await database.transaction(async (query) => {
    const owner = await reloadUser(query, flow.user_id)
    if (isBanned(owner, call.now.getTime())) throw authErrors.userBanned(403)
    const entry = { action: 'login', actor: owner, address: call.clientAddress } as const
    await writeAuditLog(query, entry, call.now)
    return {
      user: owner,
      signIn: await openSession(query, owner, flow.authentication_method, call),
    }
  })
  return Response.json(await describeSession(user, signIn, call, accounts))
}
