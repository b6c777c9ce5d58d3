import { readBody, type Action } from './action.ts'
import { writeAuditLog } from './audit-log.ts'
import { adminUserSchema, hashGivenPassword, readBan, refusePhone } from './admin-user-body.ts'
import { isUuid, requireServiceRole } from './caller-user.ts'
import { parseEmailAddress } from './email-address.ts'
import { authErrors } from './errors.ts'
import { userJson } from './user-json.ts'
import { AUDIENCE, insertUser, NO_PASSWORD, reloadUser, updateUser } from './users.ts'

/** POST /admin/users, for trusted servers: an account without any mail. */
export const createUser: Action = async (call, accounts) => {
  requireServiceRole(call)
  const body = await readBody(call.request, adminUserSchema)
  refusePhone(body)
  if (body.email === '') {
    throw authErrors.validationFailed('Cannot create a user without either an email or phone')
  }
  if (body.id !== '' && !isUuid(body.id)) {
    throw authErrors.validationFailed('ID must conform to the uuid v4 format')
  }
  const email = parseEmailAddress(body.email)
  const ban = readBan(body.ban_duration, call.now)
  const encryptedPassword = (await hashGivenPassword(body, accounts)) ?? NO_PASSWORD

  const user = await accounts.database.transaction(async (query) => {
    const made = await insertUser(
      query,
      {
        id: body.id || call.randomId(),
        email,
        encryptedPassword,
        userMetadata: body.user_metadata ?? {},
        appMetadata: body.app_metadata ?? {},
        role: body.role || AUDIENCE,
        ...(body.email_confirm ? { emailConfirmedAt: call.now } : {}),
      },
      call.now,
    )
    if (ban) await updateUser(query, made.id, { banned_until: ban.bannedUntil }, call.now)
    await writeAuditLog(
      query,
      {
        action: 'user_signedup',
        traits: { user_id: made.id, user_email: email, provider: 'email' },
        address: call.clientAddress,
      },
      call.now,
    )
    return reloadUser(query, made.id)
  })
  return Response.json(userJson(user))
}
