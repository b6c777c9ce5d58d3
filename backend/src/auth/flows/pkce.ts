// PKCE: the link carries a short-lived code instead of the session, which only the app that requested the mail can exchange.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { authErrors } from '#auth/errors.ts'
import type { SignInMethod } from '#auth/sessions/sessions.ts'
import type { AuthSettings } from '#auth/settings.ts'
import type { Query } from '#postgres/statement.ts'

export type Challenge = { code_challenge: string; code_challenge_method: string }

/**
 * The challenge of a request that uses PKCE, otherwise null.
 * @throws validation_failed for an incomplete or malformed challenge, and where the installation has no PKCE
 */
export function readChallenge(
  { code_challenge, code_challenge_method }: Challenge,
  { allowsPkce }: Pick<AuthSettings, 'allowsPkce'>,
): Challenge | null {
  if ((code_challenge === '') !== (code_challenge_method === '')) {
    throw authErrors.validationFailed('PKCE flow requires code_challenge_method and code_challenge')
  }
  if (code_challenge === '') return null
  if (!allowsPkce) throw authErrors.validationFailed('PKCE flow is not enabled')
  if (!/^(s256|plain)$/i.test(code_challenge_method)) {
    throw authErrors.validationFailed(
      `unsupported code_challenge method "${code_challenge_method}"`,
    )
  }
  if (code_challenge.length < 43 || code_challenge.length > 128) {
    throw authErrors.validationFailed('code challenge has to be between 43 and 128 characters')
  }
  if (!/^[a-zA-Z0-9\-._~]+$/.test(code_challenge)) {
    throw authErrors.validationFailed(
      'code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes',
    )
  }
  return { code_challenge, code_challenge_method }
}

/** @returns the flow's id, for the link that goes on with it; null without a challenge */
export async function saveChallenge(
  query: Query,
  {
    userId,
    method,
    challenge,
  }: { userId: string; method: SignInMethod; challenge: Challenge | null },
  now: Date,
): Promise<string | null> {
  if (!challenge) return null
  const id = randomUUID()
  await query({
    text: `
      insert into auth.flow_state
        (id, user_id, auth_code, code_challenge_method, code_challenge, provider_type, authentication_method, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $6, $7, $7)`,
    values: [
      id,
      userId,
      randomUUID(),
      challenge.code_challenge_method.toLowerCase(),
      challenge.code_challenge,
      method,
      now,
    ],
  })
  return id
}

/** Issues the code for a redeemed link's redirect, which can then be exchanged for a session. */
export async function issueAuthCode(query: Query, flow: string | null, now: Date): Promise<string> {
  const { rows } = await query({
    text: `
      update auth.flow_state set auth_code_issued_at = $2, updated_at = $2
      where id = $1 and auth_code_issued_at is null
      returning auth_code`,
    values: [flow, now],
  })
  const code = (rows[0] as { auth_code: string } | undefined)?.auth_code
  if (!code) throw authErrors.linkWithoutFlow()
  return code
}

export type Flow = {
  id: string
  user_id: string
  authentication_method: SignInMethod
  auth_code_issued_at: Date
  code_challenge: string
  code_challenge_method: string
}

/** Deletes and returns the flow of a code, even if the exchange fails: a code can be tried once. */
export async function consumeFlow(query: Query, authCode: string): Promise<Flow | null> {
  if (!/^[0-9a-f-]{36}$/.test(authCode)) return null
  const { rows } = await query({
    text: `
      delete from auth.flow_state where auth_code = $1 and auth_code_issued_at is not null
      returning id, user_id, authentication_method, auth_code_issued_at, code_challenge, code_challenge_method`,
    values: [authCode],
  })
  return (rows[0] as Flow | undefined) ?? null
}

export function matchesChallenge(flow: Flow, verifier: string): boolean {
  const shown =
    flow.code_challenge_method === 's256'
      ? createHash('sha256').update(verifier).digest('base64url')
      : verifier
  const expected = Buffer.from(flow.code_challenge)
  const actual = Buffer.from(shown)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
