import type { DatabaseError } from 'pg'
import * as v from 'valibot'
import { readBody, text, type Action, type Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import {
  closeChallenge,
  deleteUnverifiedTotpFactors,
  findSecret,
  markVerified,
  requireFactor,
  tryChallenge,
  spendStep,
} from '#auth/factors/factor-rows.ts'
import { matchingStep } from '#auth/factors/totp.ts'
import { chargeAttempt, refundAll, type Attempt } from '#auth/flows/attempts.ts'
import { writeAuditLog } from '#auth/flows/audit-log.ts'
import { describeSession } from '#auth/sessions/open-session.ts'
import { startNewFamily } from '#auth/sessions/refresh-tokens.ts'
import { isUuid, requireUser, type AuthenticatedUser } from '#auth/sessions/require-user.ts'
import { endLowSessions, findProofs, raiseSession, type SignIn } from '#auth/sessions/sessions.ts'
import { lockUser, reloadUser, type Factor } from '#auth/users.ts'
import { addressGroup } from '#http/client-address.ts'
import type { Query } from '#postgres/statement.ts'

/** Raised by a trigger of the project's that lets this session turn no factor on. */
const INSUFFICIENT_PRIVILEGE = '42501'

const bodySchema = v.object({ challenge_id: text, code: text })

/** POST /factors/{id}/verify: a correct code raises the session to aal2, and turns a new factor on. */
export const verifyFactor: Action = async (call, accounts) => {
  const { database, limits } = accounts
  const query: Query = (statement) => database.query(statement)
  // Also after a response of this endpoint was lost, which had the session's new tokens.
  const caller = await requireUser(query, call, { mayPrecedeCode: true })
  const factor = requireFactor(caller.user, call.id)
  const { challenge_id: challengeId, code } = await readBody(call.request, bodySchema)
  if (code === '') throw authErrors.validationFailed('Code needs to be non-empty')
  if (!isUuid(challengeId)) throw authErrors.badJson()

  // Refunded by a correct code. Somebody who only has the password does not use up the owner's guesses.
  const charges = await chargeAttempt(attemptAt(factor, caller, call), call, accounts)
  await tryChallenge(query, { id: challengeId, factorId: factor.id }, call)
  const secret = await findSecret(query, factor.id)
  const step = secret === null ? null : matchingStep(secret, code, call.now)
  if (step === null) throw authErrors.wrongFactorCode()

  const accepted = { factorId: factor.id, challengeId, step }
  const signIn = await database
    .transaction((inTransaction) => acceptCode(inTransaction, caller, accepted, call))
    .catch((error: unknown) => {
      const { code: state, message } = error as DatabaseError
      if (state !== INSUFFICIENT_PRIVILEGE) throw error
      throw authErrors.factorRefused(message, { cause: error })
    })
  await refundAll(charges, limits)
  const user = await reloadUser(query, caller.user.id)
  return Response.json(await describeSession(user, signIn, call, accounts))
}

function attemptAt(
  { status }: Factor,
  { user, sessionId, isAal2 }: AuthenticatedUser,
  call: Call,
): Attempt {
  const address = addressGroup(call.clientAddress)
  const here = `${address}:${user.id}`
  const email = user.email ?? ''
  // A copied token uses up none of its owner's: neither one that is elsewhere, nor one from before the session's code.
  const ofSession = ['factorCode', `${address}:${sessionId}${isAal2 ? ' aal2' : ''}`] as const
  // Nobody gets in by guessing a code of a factor that is not on yet.
  return status === 'verified'
    ? {
        email,
        fromHere: [ofSession, ['factorCodeFromHere', here]],
        fromAnywhere: ['factorCodeAnywhere', user.id],
        withSecondFactor: true,
      }
    : { email, fromHere: [ofSession], fromAnywhere: null }
}

async function acceptCode(
  query: Query,
  { user, sessionId }: AuthenticatedUser,
  { factorId, challengeId, step }: { factorId: string; challengeId: string; step: number },
  call: Call,
): Promise<SignIn> {
  await lockUser(query, user.id)
  // Removed in the meantime, by the member or an admin.
  if ((await findSecret(query, factorId)) === null) throw authErrors.factorNotFound()
  if (!(await closeChallenge(query, challengeId, call.now)))
    throw authErrors.challengeFromElsewhere()
  if (!(await spendStep(query, factorId, step))) throw authErrors.wrongFactorCode()
  await markVerified(query, factorId, call.now)
  if (!(await raiseSession(query, { sessionId, factorId }, call.now)))
    throw authErrors.sessionOfTokenNotFound()
  const refreshToken = await startNewFamily(query, { sessionId, userId: user.id }, call.now)
  await endLowSessions(query, user.id)
  await deleteUnverifiedTotpFactors(query, user.id)
  const traits = { factor_id: factorId, challenge_id: challengeId, factor_type: 'totp' }
  await writeAuditLog(
    query,
    { action: 'verification_attempted', actor: user, traits, address: call.clientAddress },
    call.now,
  )
  return { sessionId, refreshToken, proofs: await findProofs(query, sessionId) }
}
