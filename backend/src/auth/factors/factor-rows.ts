// Reads and writes rows of auth.mfa_factors and auth.mfa_challenges.
import type { Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { LIMITS } from '#auth/limits.ts'
import { inet } from '#auth/sessions/sessions.ts'
import { isUuid } from '#auth/sessions/require-user.ts'
import type { Factor, User } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'

/** @throws mfa_factor_not_found unless the user has such a factor */
export function requireFactor({ factors }: User, id: string): Factor {
  if (!isUuid(id)) throw authErrors.factorIdNotUuid()
  const factor = factors.find((each) => each.id === id.toLowerCase())
  if (!factor) throw authErrors.factorNotFound()
  return factor
}

export async function insertTotpFactor(
  query: Query,
  factor: { id: string; userId: string; name: string; secret: string },
  now: Date,
): Promise<void> {
  await query({
    text: `
      insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
      values ($1, $2, $3, 'totp', 'unverified', $4, $5, $5)`,
    values: [factor.id, factor.userId, factor.name, factor.secret, now],
  })
}

/** Factors whose set-up was not finished and is not under way. */
export async function deleteAbandonedFactors(
  query: Query,
  userId: string,
  now: Date,
): Promise<void> {
  await query({
    text: `
      delete from auth.mfa_factors f
      where f.user_id = $1 and f.status = 'unverified' and f.created_at < $2
        and not exists (select from auth.mfa_challenges c where c.factor_id = f.id)`,
    values: [userId, new Date(now.getTime() - LIMITS.factorSetUpMs)],
  })
}

export async function deleteUnverifiedTotpFactors(query: Query, userId: string): Promise<void> {
  await query({
    text: `
      delete from auth.mfa_factors
      where user_id = $1 and status = 'unverified' and factor_type = 'totp'`,
    values: [userId],
  })
}

/** @returns whether it was there */
export async function deleteFactor(query: Query, id: string): Promise<boolean> {
  const { rowCount } = await query({
    text: 'delete from auth.mfa_factors where id = $1',
    values: [id],
  })
  return Boolean(rowCount)
}

export async function markVerified(query: Query, id: string, now: Date): Promise<void> {
  await query({
    text: `update auth.mfa_factors set status = 'verified', updated_at = $2 where id = $1 and status <> 'verified'`,
    values: [id, now],
  })
}

/** @returns null when the factor is gone */
export async function findSecret(query: Query, factorId: string): Promise<string | null> {
  const { rows } = await query({
    text: 'select secret from auth.mfa_factors where id = $1',
    values: [factorId],
  })
  return (rows[0] as { secret: string } | undefined)?.secret ?? null
}

/** Of several uses of one step's code the first wins; a step before it is spent as well. */
export async function spendStep(query: Query, factorId: string, step: number): Promise<boolean> {
  const { rowCount } = await query({
    text: `
      insert into auth_service.used_totp_steps as used (factor_id, step) values ($1, $2)
      on conflict (factor_id) do update set step = excluded.step where used.step < excluded.step`,
    values: [factorId, step],
  })
  return Boolean(rowCount)
}

export async function insertChallenge(query: Query, factorId: string, call: Call): Promise<string> {
  const id = call.randomId()
  await query({
    text: `
      with factor as (update auth.mfa_factors set last_challenged_at = $3 where id = $2 returning id)
      insert into auth.mfa_challenges (id, factor_id, created_at, ip_address)
      select $1, id, $3, $4 from factor`,
    values: [id, factorId, call.now, storedAddress(call)],
  })
  return id
}

/**
 * Counts a guess at the challenge before the code is checked, so that concurrent ones cannot exceed the limit.
 * @throws GoTrue's errors for a challenge that is unknown, used, from another address, expired or tried too often
 */
export async function tryChallenge(
  query: Query,
  { id, factorId }: { id: string; factorId: string },
  call: Call,
): Promise<void> {
  const { rows } = await query({
    text: `
      update auth.mfa_challenges set guesses = least(guesses + 1, ${LIMITS.guessesPerChallenge} + 1)
      where id = $1 and factor_id = $2
      returning created_at, verified_at, ip_address = $3 as is_from_here, guesses`,
    values: [id, factorId, storedAddress(call)],
  })
  const challenge = rows[0] as
    | { created_at: Date; verified_at: Date | null; is_from_here: boolean; guesses: number }
    | undefined
  if (!challenge) throw authErrors.challengeNotFound()
  if (challenge.verified_at || !challenge.is_from_here) throw authErrors.challengeFromElsewhere()
  const age = call.now.getTime() - challenge.created_at.getTime()
  if (age > LIMITS.challengeMs || challenge.guesses > LIMITS.guessesPerChallenge) {
    await query({ text: 'delete from auth.mfa_challenges where id = $1', values: [id] })
    throw authErrors.challengeExpired(id)
  }
}

export async function closeChallenge(query: Query, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await query({
    text: 'update auth.mfa_challenges set verified_at = $2 where id = $1 and verified_at is null',
    values: [id, now],
  })
  return Boolean(rowCount)
}

// The column takes no null; a proxy may have sent an invalid address.
function storedAddress({ clientAddress }: Call): string {
  return inet(clientAddress) ?? '0.0.0.0'
}
