import { renderSVG } from 'uqr'
import * as v from 'valibot'
import { readBody, text, type Action } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { deleteAbandonedFactors, insertTotpFactor } from '#auth/factors/factor-rows.ts'
import { newSecret, otpAuthUri } from '#auth/factors/totp.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { LIMITS } from '#auth/limits.ts'
import { requireRecentProof } from '#auth/sessions/recent-proof.ts'
import { requireUser, type AuthenticatedUser } from '#auth/sessions/require-user.ts'
import { hasSecondFactor, lockUser, reloadUser } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'

const bodySchema = v.object({ friendly_name: text, factor_type: text, issuer: text })

/** POST /factors: begins setting up an authenticator app. The factor counts once a code of it was verified. */
export const enrollFactor: Action = async (call, accounts) => {
  const { database, settings } = accounts
  const query: Query = (statement) => database.query(statement)
  const caller = await requireUser(query, call)
  requireRecentProof(call, accounts)
  const body = await readBody(call.request, bodySchema)
  requireTotp(body.factor_type)
  const name = body.friendly_name
  const issuer = body.issuer || new URL(settings.siteUrl).host
  if (Math.max(name.length, issuer.length) > LIMITS.factorNameLength)
    throw authErrors.validationFailed('friendly_name or issuer is too long')

  const id = call.randomId()
  const secret = newSecret()
  const uri = otpAuthUri(secret, issuer, caller.user.email ?? '')
  await database.transaction(async (inTransaction) => {
    // Two set-ups at the same moment see each other, so the limits hold.
    await lockUser(inTransaction, caller.user.id)
    await deleteAbandonedFactors(inTransaction, caller.user.id, call.now)
    const user = await reloadUser(inTransaction, caller.user.id)
    requireRoom({ ...caller, user }, name)
    await insertTotpFactor(inTransaction, { id, userId: user.id, name, secret }, call.now)
    const traits = { factor_id: id }
    const address = call.clientAddress
    await writeAuditLog(
      inTransaction,
      { action: 'factor_in_progress', actor: user, traits, address },
      call.now,
    )
  })
  const qrCode = renderSVG(uri, { ecc: 'M', border: 4, pixelSize: 4 })
  return Response.json({
    id,
    type: 'totp',
    friendly_name: name,
    totp: { qr_code: qrCode, secret, uri },
  })
}

/** Names of the kinds of factors that are not supported; refused as on hosted Supabase while they are off. */
const DISABLED: Record<string, string> = { phone: 'Phone', webauthn: 'WebAuthn' }

function requireTotp(type: string) {
  if (type === 'totp') return
  const name = Object.hasOwn(DISABLED, type) ? DISABLED[type] : undefined
  if (name === undefined)
    throw authErrors.validationFailed('factor_type needs to be totp, phone, or webauthn')
  throw authErrors.notSupported(
    `mfa_${type}_enroll_not_enabled`,
    422,
    `MFA enroll is disabled for ${name}`,
  )
}

function requireRoom({ user, isAal2 }: AuthenticatedUser, name: string) {
  if (user.factors.some((factor) => (factor.friendly_name ?? '') === name))
    throw authErrors.factorNameTaken(name)
  if (user.factors.length >= LIMITS.factorsPerAccount) throw authErrors.tooManyFactors()
  if (hasSecondFactor(user) && !isAal2)
    throw authErrors.insufficientAal(403, 'AAL2 required to enroll a new factor')
}
