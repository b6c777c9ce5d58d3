import type { Query } from '#postgres/statement.ts'
import type { Action } from './action.ts'
import { writeAuditLog } from './audit-log.ts'
import { requireUser } from './caller-user.ts'
import { authErrors } from './errors.ts'
import { deleteOneTimeTokens, findByCode } from './one-time-tokens.ts'
import { requireMailAllowed, sendLink } from './send-link.ts'
import { updateUser, type User } from './users.ts'

/** GET /reauthenticate: mails a code that proves it is still the owner who sits at the device. */
export const reauthenticate: Action = async (call, accounts) => {
  const { database } = accounts
  const { user } = await requireUser((statement) => database.query(statement), call)
  if (!user.email) {
    throw authErrors.validationFailed(
      'Reauthentication requires the user to have an email or a phone number',
    )
  }
  if (!user.email_confirmed_at) throw authErrors.confirmEmailFirst()
  const email = user.email
  await requireMailAllowed(email, 'reauthentication', call, accounts)
  await database.transaction(async (query) => {
    await updateUser(query, user.id, { reauthentication_sent_at: call.now }, call.now)
    await sendLink(
      query,
      {
        user,
        kind: 'reauthentication',
        tokenType: 'reauthentication_token',
        linkType: 'email',
        email,
      },
      call,
      accounts,
    )
    await writeAuditLog(
      query,
      { action: 'user_reauthenticate_requested', actor: user, address: call.clientAddress },
      call.now,
    )
  })
  return Response.json({})
}

/** @throws reauthentication_not_valid unless `code` is the one that was mailed; it works once */
export async function redeemReauthentication(
  query: Query,
  user: User,
  code: string,
  now: Date,
): Promise<void> {
  const email = user.email ?? ''
  const types = ['reauthentication_token'] as const
  const found = await findByCode(query, { email, code, types }, now)
  if (found?.user_id !== user.id) throw authErrors.reauthenticationNotValid()
  await deleteOneTimeTokens(query, user.id, types)
}
