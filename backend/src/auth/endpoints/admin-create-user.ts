import { readBody, type Action } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { parseEmailAddress } from '#auth/flows/email-address.ts'
import { isUuid, requireServiceRole } from '#auth/sessions/require-user.ts'
import { userJson } from '#auth/user-json.ts'
import { AUDIENCE, insertUser, NO_PASSWORD, reloadUser, updateUser } from '#auth/users.ts'
import { adminUserSchema, hashSuppliedPassword, parseBan, rejectPhone } from './admin-user-body.ts'

/** POST /admin/users, for trusted servers: creates an account without sending a mail. */
export const createUser: Action = async (call, accounts) => {
  requireServiceRole(call)
  const body = await readBody(call.request, adminUserSchema)
  rejectPhone(body)
  if (body.email === '') {
    throw authErrors.validationFailed('Cannot create a user without either an email or phone')
  }
  if (body.id !== '' && !isUuid(body.id)) {
    throw authErrors.validationFailed('ID must conform to the uuid v4 format')
  }
  const email = parseEmailAddress(body.email)
  const ban = parseBan(body.ban_duration, call.now)
  const encryptedPassword = (await hashSuppliedPassword(body, accounts)) ?? NO_PASSWORD

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
