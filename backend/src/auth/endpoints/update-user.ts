import * as v from 'valibot'
import {
  metadata,
  readBody,
  requireStorableMetadata,
  text,
  type Accounts,
  type Action,
  type Call,
} from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { changePassword, prepareNewPassword } from '#auth/flows/change-password.ts'
import { parseEmailAddress } from '#auth/flows/email-address.ts'
import { checkMailLimits, countMailToAccount, countMailToOne } from '#auth/flows/mail-limits.ts'
import { readChallenge } from '#auth/flows/pkce.ts'
import { sendEmailChange } from '#auth/flows/send-email-change.ts'
import { requireStrongPassword } from '#auth/passwords/password-strength.ts'
import { requireRecentProof } from '#auth/sessions/recent-proof.ts'
import {
  requireFullSession,
  requireUser,
  type AuthenticatedUser,
} from '#auth/sessions/require-user.ts'
import { userJson } from '#auth/user-json.ts'
import { lockUser, reloadUser, updateUser as saveUser } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'

const bodySchema = v.object({
  email: text,
  phone: text,
  password: v.nullish(v.string()),
  current_password: text,
  nonce: text,
  data: metadata,
  app_metadata: metadata,
  code_challenge: text,
  code_challenge_method: text,
})
type Body = v.InferOutput<typeof bodySchema>

/** PUT /user: changes the password, the address (after confirmation by mail) or the metadata. */
export const updateUser: Action = async (call, accounts) => {
  const { database, settings } = accounts
  const body = await readBody(call.request, bodySchema)
  const challenge = readChallenge(body, settings)
  if (body.password) requireStrongPassword(body.password, settings)
  const caller = await requireUser((statement) => database.query(statement), call)
  requireAllowedChanges(body)
  requireFullSession(caller, 'AAL2 session is required to update a user when MFA is enabled.')

  const newEmail = await readNewEmail(body, caller, call, accounts)
  const encryptedPassword = body.password
    ? await prepareNewPassword(
        caller,
        {
          password: body.password,
          currentPassword: body.current_password,
          nonce: body.nonce,
        },
        call,
        accounts,
      )
    : null

  const user = await database.transaction(async (query) => {
    if (encryptedPassword) {
      await changePassword(query, caller, { encryptedPassword, nonce: body.nonce }, call, accounts)
    }
    if (body.data) {
      // Under the lock: several requests must not store together what one may not.
      await lockUser(query, caller.user.id)
      const { raw_user_meta_data } = await reloadUser(query, caller.user.id)
      requireStorableMetadata({ ...raw_user_meta_data, ...body.data })
      await saveUser(query, caller.user.id, { raw_user_meta_data: body.data }, call.now)
    }
    if (newEmail) await sendEmailChange(query, caller.user, newEmail, challenge, call, accounts)
    await audit(query, caller, call)
    return reloadUser(query, caller.user.id)
  })
  return Response.json(userJson(user))
}

function requireAllowedChanges(body: Body) {
  if (body.app_metadata) throw authErrors.appMetadataNotAllowed()
  if (body.phone !== '') {
    throw authErrors.notSupported('phone_provider_disabled', 400, 'Phone logins are disabled')
  }
}

async function readNewEmail(
  body: Body,
  { user }: AuthenticatedUser,
  call: Call,
  accounts: Accounts,
): Promise<string | null> {
  if (body.email === '') return null
  const email = parseEmailAddress(body.email)
  if (email === user.email) return null
  // Its owner is asked by mail, but one careless click must not be all that a stolen token needs.
  requireRecentProof(call, accounts)
  const purpose = 'email_change'
  await checkMailLimits({ email: user.email ?? email, purpose }, call, accounts)
  const wait =
    (user.email ? await countMailToOne(email, purpose, call, accounts) : 0) ||
    (await countMailToAccount(user, accounts))
  if (wait > 0) throw authErrors.tooManyMails(wait)
  return email
}

function audit(query: Query, { user }: AuthenticatedUser, call: Call) {
  const entry = { action: 'user_modified', actor: user, address: call.clientAddress } as const
  return writeAuditLog(query, entry, call.now)
}
