import * as v from 'valibot'
import type { Query } from '#postgres/statement.ts'
import { metadata, readBody, text, type Action, type Call } from './action.ts'
import { writeAuditLog } from './audit-log.ts'
import { requireServiceRole } from './caller-user.ts'
import { parseEmailAddress } from './email-address.ts'
import { authErrors } from './errors.ts'
import { sendLink } from './send-link.ts'
import { userJson } from './user-json.ts'
import {
  findUserByEmail,
  insertUser,
  NO_PASSWORD,
  reloadUser,
  updateUser,
  type Json,
  type User,
} from './users.ts'

const bodySchema = v.object({ email: text, data: metadata })

/** POST /invite, for trusted servers: makes the account and mails its owner a link. */
export const inviteUser: Action = async (call, accounts) => {
  requireServiceRole(call)
  const body = await readBody(call.request, bodySchema)
  const email = parseEmailAddress(body.email)
  const user = await accounts.database.transaction(async (query) => {
    const invited = await saveInvitation(query, email, body.data ?? {}, call)
    await sendLink(
      query,
      {
        user: invited,
        kind: 'invite',
        tokenType: 'confirmation_token',
        linkType: 'invite',
        email,
      },
      call,
      accounts,
    )
    return invited
  })
  return Response.json(userJson(user))
}

/** The invited account, new or still unconfirmed from an earlier try. @throws email_exists */
export async function saveInvitation(
  query: Query,
  email: string,
  data: Json,
  call: Call,
): Promise<User> {
  const known = await findUserByEmail(query, email)
  if (known?.email_confirmed_at) throw authErrors.emailExists()
  const newcomer = {
    id: call.randomId(),
    email,
    encryptedPassword: NO_PASSWORD,
    userMetadata: data,
  }
  const user = known ?? (await insertUser(query, newcomer, call.now))
  const sent = { invited_at: call.now, confirmation_sent_at: call.now }
  await updateUser(query, user.id, sent, call.now)
  await writeAuditLog(
    query,
    {
      action: 'user_invited',
      traits: { user_id: user.id, user_email: email },
      address: call.clientAddress,
    },
    call.now,
  )
  return reloadUser(query, user.id)
}
