import type { Action } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { checkMailLimits, countMailToAccount } from '#auth/flows/mail-limits.ts'
import { deleteOneTimeTokens, findByCode } from '#auth/flows/one-time-tokens.ts'
import { sendLink } from '#auth/flows/send-link.ts'
import { requireUser } from '#auth/sessions/require-user.ts'
import { lockUser, updateUser, type User } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'

/** GET /reauthenticate: mails a code that proves the session's user still owns the account. */
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
  await checkMailLimits({ email, purpose: 'reauthentication' }, call, accounts)
  const wait = await countMailToAccount(user, accounts)
  if (wait > 0) throw authErrors.tooManyMails(wait)
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

/** Consumes the mailed code. @throws reauthentication_not_valid */
export async function redeemReauthentication(
  query: Query,
  user: User,
  code: string,
  now: Date,
): Promise<void> {
  const email = user.email ?? ''
  await lockUser(query, user.id)
  const types = ['reauthentication_token'] as const
  const found = await findByCode(query, { email, code, types }, now)
  if (found?.user_id !== user.id) throw authErrors.reauthenticationNotValid()
  await deleteOneTimeTokens(query, user.id, types)
}
