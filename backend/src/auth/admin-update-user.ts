import type { Query } from '#postgres/statement.ts'
import { readBody, type Action, type Call } from './action.ts'
import {
  adminUserSchema,
  hashGivenPassword,
  readBan,
  refusePhone,
  type AdminUserBody,
} from './admin-user-body.ts'
import { writeAuditLog } from './audit-log.ts'
import { requireServiceRole } from './caller-user.ts'
import { findNamedUser } from './admin-read-users.ts'
import { parseEmailAddress } from './email-address.ts'
import { ALL_TOKEN_TYPES, deleteOneTimeTokens } from './one-time-tokens.ts'
import { endSessions } from './sessions.ts'
import { userJson } from './user-json.ts'
import { reloadUser, saveEmailIdentity, updateUser, type User, type UserChanges } from './users.ts'

/** PUT /admin/users/{id}, for trusted servers */
export const adminUpdateUser: Action = async (call, accounts) => {
  requireServiceRole(call)
  const body = await readBody(call.request, adminUserSchema)
  refusePhone(body)
  const email = body.email === '' ? null : parseEmailAddress(body.email)
  const ban = readBan(body.ban_duration, call.now)
  const encryptedPassword = await hashGivenPassword(body, accounts)

  const user = await accounts.database.transaction(async (query) => {
    const before = await findNamedUser(query, call)
    const changes: UserChanges = {
      ...(email ? { email } : {}),
      ...(encryptedPassword ? { encrypted_password: encryptedPassword } : {}),
      ...(body.role ? { role: body.role } : {}),
      ...(body.email_confirm && !before.email_confirmed_at ? { email_confirmed_at: call.now } : {}),
      ...(ban ? { banned_until: ban.bannedUntil } : {}),
      ...(body.app_metadata ? { raw_app_meta_data: body.app_metadata } : {}),
      ...metadataChange(body, email),
    }
    await updateUser(query, before.id, changes, call.now)
    if (email || body.email_confirm) await saveIdentity(query, before, email, body, call)
    if (encryptedPassword || email) {
      await deleteOneTimeTokens(query, before.id, ALL_TOKEN_TYPES)
    }
    if (encryptedPassword) await endSessions(query, before.id, 'global', null)
    await writeAuditLog(
      query,
      {
        action: 'user_modified',
        traits: { user_id: before.id, user_email: email ?? before.email },
        address: call.clientAddress,
      },
      call.now,
    )
    return reloadUser(query, before.id)
  })
  return Response.json(userJson(user))
}

function metadataChange(body: AdminUserBody, email: string | null): UserChanges {
  const changed = {
    ...body.user_metadata,
    ...(email ? { email } : {}),
    ...(body.email_confirm ? { email_verified: true } : {}),
  }
  return Object.keys(changed).length > 0 ? { raw_user_meta_data: changed } : {}
}

function saveIdentity(
  query: Query,
  before: User,
  email: string | null,
  body: AdminUserBody,
  call: Call,
) {
  const data = { email: email ?? before.email, email_verified: body.email_confirm }
  return saveEmailIdentity(query, before.id, data, call.now)
}
