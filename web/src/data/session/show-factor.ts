import type { Factor } from '@supabase/auth-js'
import { m } from '#lib/messages/messages.js'
import { auth, type Auth } from './auth.ts'
import { needsCode } from './second-factor.ts'

type VerifyResult = { error: { message: string; code?: string | undefined } | null }

/** Typed codes may contain spaces: authenticator apps show two groups. */
export function codeOf(typed: string): string {
  return typed.replace(/\D/g, '')
}

/** Raises the session of `client` with a code of any of the factors. */
export async function showFactor(
  factors: Pick<Factor, 'id'>[],
  code: string,
  client?: Pick<Auth, 'mfa'>,
): Promise<VerifyResult> {
  const { mfa } = client ?? (await auth())
  let result: VerifyResult = { error: null }
  for (const { id } of factors) {
    result = await mfa.challengeAndVerify({ factorId: id, code })
    if (result.error?.code !== 'mfa_verification_failed') return result
  }
  return result.error ? { error: { message: m.ui_wrong_code() } } : result
}

let refreshing: Promise<void> | undefined

/**
 * For when the server requires a second factor of which this device has not heard: the refreshed session names it, and
 * the guard then asks for the code. Concurrent calls share one refresh.
 */
export function refreshForFactor(): Promise<void> {
  refreshing ??= refreshUnlessKnown().finally(() => (refreshing = undefined))
  return refreshing
}

async function refreshUnlessKnown() {
  const { data } = await (await auth()).getSession()
  if (!data.session || needsCode(data.session)) return
  const { error } = await (await auth()).refreshSession()
  if (error) console.warn('The session was not refreshed', error)
}
