import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Query } from '#postgres/statement.ts'
import { flag, readBody, type Action, type Call } from './action.ts'
import { writeAuditLog } from './audit-log.ts'
import { findNamedUser } from './admin-read-users.ts'
import { requireServiceRole } from './caller-user.ts'
import { ALL_TOKEN_TYPES, deleteOneTimeTokens } from './one-time-tokens.ts'
import { endSessions } from './sessions.ts'
import type { User } from './users.ts'

const bodySchema = v.object({ should_soft_delete: flag })

/** DELETE /admin/users/{id}, for trusted servers. A soft deletion keeps the row, and nothing personal in it. */
export const deleteUser: Action = async (call, { database }) => {
  requireServiceRole(call)
  const { should_soft_delete: isSoft } = await readBody(call.request, bodySchema)
  await database.transaction(async (query) => {
    const user = await findNamedUser(query, call)
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
      await emptyUser(query, user, call)
    }
  })
  return Response.json({})
}

async function emptyUser(query: Query, user: User, call: Call): Promise<void> {
  const nobody = (text: string) => createHash('sha256').update(`${user.id}:${text}`).digest('hex')
  await query({
    text: `
      update auth.users set deleted_at = $2, updated_at = $2, email = $3, email_change = '',
        encrypted_password = '', phone = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}'
      where id = $1`,
    values: [user.id, call.now, nobody(user.email ?? '')],
  })
  await query({
    text: `
      update auth.identities set identity_data = '{}', updated_at = $2, provider_id = $3
      where user_id = $1`,
    values: [user.id, call.now, nobody('identity')],
  })
  await deleteOneTimeTokens(query, user.id, ALL_TOKEN_TYPES)
  await endSessions(query, user.id, 'global', null)
}
