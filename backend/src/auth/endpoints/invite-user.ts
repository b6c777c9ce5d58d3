import * as v from 'valibot'
import { metadata, readBody, text, type Action, type Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { parseEmailAddress } from '#auth/flows/email-address.ts'
import { deletePendingSignUps } from '#auth/flows/pending-sign-ups.ts'
import { sendLink } from '#auth/flows/send-link.ts'
import { requireServiceRole } from '#auth/sessions/require-user.ts'
import { userJson } from '#auth/user-json.ts'
import {
  findUserByEmail,
  insertUser,
  lockUser,
  NO_PASSWORD,
  reloadUser,
  updateUser,
  type Json,
  type User,
} from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'

const bodySchema = v.object({ email: text, data: metadata })

/** POST /invite, for trusted servers: creates the account and mails its owner a link. */
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

/**
 * Creates the invited account, or reuses an unconfirmed one. Sign-ups with the address are deleted: the owner chooses a
 * password after opening the invitation.
 * @throws email_exists
 */
export async function saveInvitation(
  query: Query,
  email: string,
  data: Json,
  call: Call,
): Promise<User> {
  const newUser = {
    id: call.randomId(),
    email,
    encryptedPassword: NO_PASSWORD,
    userMetadata: data,
  }
  const found = await findUserByEmail(query, email)
  const { id } = found ?? (await insertUser(query, newUser, call.now))
  await lockUser(query, id)
  const known = await reloadUser(query, id)
  if (known.email_confirmed_at) throw authErrors.emailExists()
  const wasSignedUp = await deletePendingSignUps(query, id)
  const ownerless = wasSignedUp
    ? { encrypted_password: NO_PASSWORD, raw_user_meta_data: invitedData(known, data) }
    : {}
  const sent = { invited_at: call.now, confirmation_sent_at: call.now, ...ownerless }
  await updateUser(query, id, sent, call.now)
  await writeAuditLog(
    query,
    {
      action: 'user_invited',
      traits: { user_id: id, user_email: email },
      address: call.clientAddress,
    },
    call.now,
  )
  return reloadUser(query, id)
}

// Removes what an earlier sign-up wrote: keys set to null are deleted.
function invitedData({ id, email, raw_user_meta_data }: User, data: Json): Json {
  const removed = Object.keys(raw_user_meta_data ?? {}).map((key) => [key, null])
  const own = { sub: id, email, email_verified: false, phone_verified: false }
  return { ...(Object.fromEntries(removed) as Json), ...data, ...own }
}
