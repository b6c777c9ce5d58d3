import type { Factor } from '@supabase/auth-js'
import { m } from '#lib/messages/messages.js'
import { auth, type Auth } from './auth.ts'
import { needsCode } from './second-factor.ts'

type VerifyAnswer = { error: { message: string; code?: string | undefined } | null }

/** Typed codes may contain spaces: authenticator apps show two groups. */
export function codeOf(typed: string): string {
  return typed.replace(/\D/g, '')
}

/** Raises the session of `client` with a code of any of the factors. */
export async function showFactor(
  factors: Pick<Factor, 'id'>[],
  code: string,
  client?: Pick<Auth, 'mfa'>,
): Promise<VerifyAnswer> {
  const { mfa } = client ?? (await auth())
  let answer: VerifyAnswer = { error: null }
  for (const { id } of factors) {
    answer = await mfa.challengeAndVerify({ factorId: id, code })
    if (answer.error?.code !== 'mfa_verification_failed') return answer
  }
  return answer.error ? { error: { message: m.ui_wrong_code() } } : answer
}

let learning: Promise<void> | undefined

/**
 * The server asks for a second factor that this device knows nothing of. A refreshed session names it, and the guard then
 * asks for the code.
 */
export function learnOfFactor(): Promise<void> {
  learning ??= refreshUnlessKnown().finally(() => (learning = undefined))
  return learning
}

async function refreshUnlessKnown() {
  const { data } = await (await auth()).getSession()
  if (!data.session || needsCode(data.session)) return
  const { error } = await (await auth()).refreshSession()
  if (error) console.warn('The session was not refreshed', error)
}
