import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { flag, readBody, type Action, type Call } from '#auth/context.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { ALL_TOKEN_TYPES, deleteOneTimeTokens } from '#auth/flows/one-time-tokens.ts'
import { requireServiceRole } from '#auth/sessions/require-user.ts'
import { endSessions } from '#auth/sessions/sessions.ts'
import type { User } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'
import { requireUserById } from './admin-read-users.ts'

const bodySchema = v.object({ should_soft_delete: flag })

/** DELETE /admin/users/{id}, for trusted servers. A soft delete keeps the row without its personal data. */
export const deleteUser: Action = async (call, { database }) => {
  requireServiceRole(call)
  const { should_soft_delete: isSoft } = await readBody(call.request, bodySchema)
  await database.transaction(async (query) => {
    const user = await requireUserById(query, call)
    await writeAuditLog(
      query,
      {
        action: 'user_deleted',
        traits: { user_id: user.id, user_email: user.email },
        address: call.clientAddress,
      },
      call.now,
    )
    if (!isSoft) {
      await query({ text: 'delete from auth.users where id = $1', values: [user.id] })
    } else if (!user.deleted_at) {
      await anonymizeUser(query, user, call)
    }
  })
  return Response.json({})
}

async function anonymizeUser(query: Query, user: User, call: Call): Promise<void> {
  const anonymized = (text: string) =>
    createHash('sha256').update(`${user.id}:${text}`).digest('hex')
  await query({
    text: `
      update auth.users set deleted_at = $2, updated_at = $2, email = $3, email_change = '',
        encrypted_password = '', phone = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}'
      where id = $1`,
    values: [user.id, call.now, anonymized(user.email ?? '')],
  })
  await query({
    text: `
      update auth.identities set identity_data = '{}', updated_at = $2, provider_id = $3
      where user_id = $1`,
    values: [user.id, call.now, anonymized('identity')],
  })
  await query({ text: 'delete from auth.mfa_factors where user_id = $1', values: [user.id] })
  await deleteOneTimeTokens(query, user.id, ALL_TOKEN_TYPES)
  await endSessions(query, user.id, 'global', null)
}
