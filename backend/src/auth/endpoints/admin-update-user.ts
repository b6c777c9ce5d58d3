import { readBody, type Action, type Call } from '#auth/context.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { parseEmailAddress } from '#auth/flows/email-address.ts'
import { ALL_TOKEN_TYPES, deleteOneTimeTokens } from '#auth/flows/one-time-tokens.ts'
import { deletePendingSignUps } from '#auth/flows/pending-sign-ups.ts'
import { requireServiceRole } from '#auth/sessions/require-user.ts'
import { endSessions } from '#auth/sessions/sessions.ts'
import { userJson } from '#auth/user-json.ts'
import {
  reloadUser,
  saveEmailIdentity,
  updateUser,
  type User,
  type UserChanges,
} from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'
import { requireUserById } from './admin-read-users.ts'
import {
  adminUserSchema,
  hashSuppliedPassword,
  parseBan,
  rejectPhone,
  type AdminUserBody,
} from './admin-user-body.ts'

/** PUT /admin/users/{id}, for trusted servers */
export const adminUpdateUser: Action = async (call, accounts) => {
  requireServiceRole(call)
  const body = await readBody(call.request, adminUserSchema)
  rejectPhone(body)
  const email = body.email === '' ? null : parseEmailAddress(body.email)
  const ban = parseBan(body.ban_duration, call.now)
  const encryptedPassword = await hashSuppliedPassword(body, accounts)

  const user = await accounts.database.transaction(async (query) => {
    const before = await requireUserById(query, call)
    const changes: UserChanges = {
      ...(email ? { email } : {}),
      ...(encryptedPassword ? { encrypted_password: encryptedPassword } : {}),
      ...(body.role ? { role: body.role } : {}),
      ...(body.email_confirm && !before.email_confirmed_at ? { email_confirmed_at: call.now } : {}),
      ...(ban ? { banned_until: ban.bannedUntil } : {}),
      ...(body.app_metadata ? { raw_app_meta_data: body.app_metadata } : {}),
      ...(body.user_metadata ? { raw_user_meta_data: body.user_metadata } : {}),
    }
    await updateUser(query, before.id, changes, call.now)
    if (email || body.email_confirm) await saveIdentity(query, before, email, body, call)
    if (encryptedPassword || email) {
      await deleteOneTimeTokens(query, before.id, ALL_TOKEN_TYPES)
      await deletePendingSignUps(query, before.id)
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
