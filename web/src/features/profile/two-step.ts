import type { AuthError, SignInWithPasswordCredentials } from '@supabase/auth-js'
import { callFunction } from '#data/call-function.ts'
import { PROVE_AGAIN, withProof } from '#data/session/proof.ts'
import { verifiedFactors } from '#data/session/second-factor.ts'
import { showFactor } from '#data/session/show-factor.ts'
import { auth } from '#data/supabase.ts'
import { PRODUCT_NAME } from '#domain/product.ts'
import { m } from '#lib/messages/messages.js'

/** What an authenticator app needs: the picture, the key to type, or the address that opens it. */
export type SetUp = {
  factorId: string
  qrCode: string
  secret: string
  uri: string
  /** In milliseconds: the server takes no first code after it. */
  endsAt: number
}

/** Less than the 15 minutes that `private.require_recent_sign_in` in supabase/schemas allows. */
const SET_UP_MS = 14 * 60_000

/**
 * Signs in again and begins a set-up. One that was left unfinished is replaced: its key may have been seen.
 * @returns the auth service's refusal, or what to show until `endsAt`
 */
export async function beginSetUp(
  typed: SignInWithPasswordCredentials,
): Promise<{ error: AuthError; setUp?: never } | { error: null; setUp: SetUp }> {
  const client = await auth()
  const endsAt = Date.now() + SET_UP_MS
  const error = await signInAgain(typed)
  if (error) return { error }
  const { data: known, error: failure } = await client.mfa.listFactors()
  if (failure) return { error: failure }
  for (const factor of known.all)
    if (factor.status === 'unverified') await client.mfa.unenroll({ factorId: factor.id })
  const enrolled = await client.mfa.enroll({
    factorType: 'totp',
    friendlyName: PRODUCT_NAME,
    issuer: PRODUCT_NAME,
  })
  if (enrolled.error) return { error: enrolled.error }
  const { qr_code: qrCode, secret, uri } = enrolled.data.totp
  return { error: null, setUp: { factorId: enrolled.data.id, qrCode, secret, uri, endsAt } }
}

/** The new session takes the place of this device's old one. */
export async function signInAgain(typed: SignInWithPasswordCredentials): Promise<AuthError | null> {
  const client = await auth()
  const { data: old } = await client.getSession()
  const { error } = await client.signInWithPassword(typed)
  if (error || !old.session) return error
  const ended = await client.admin.signOut(old.session.access_token, 'local')
  if (ended.error) console.warn('The session from before was not ended', ended.error)
  return null
}

/** Why a set-up is over, by the auth service's code: it took too long, or was started again elsewhere. */
const OVER: Record<string, (() => string) | undefined> = {
  [PROVE_AGAIN]: m.profile_two_step_too_late,
  mfa_factor_not_found: m.profile_two_step_replaced,
}

/** Types the first code, which turns the factor on. `isOver`: no code will do that any more. */
export async function verifySetUp({ factorId, endsAt }: SetUp, code: string) {
  const isLate = Date.now() > endsAt
  const { error } = isLate
    ? { error: { code: PROVE_AGAIN, message: '' } }
    : await showFactor([{ id: factorId }], code)
  const reason = OVER[error?.code ?? '']?.()
  return reason
    ? ({ error: { message: reason }, isOver: true } as const)
    : ({ error, isOver: false } as const)
}

/** Ten new codes; those before stop working. */
export function makeRecoveryCodes(): Promise<string[]> {
  return callFunction('create_recovery_codes')
}

/** The authenticator apps of this member's account. */
export async function ownFactors() {
  const { data } = await (await auth()).getSession()
  return data.session ? verifiedFactors(data.session) : []
}

/** Removes the second factor; the database forgets the recovery codes with it. */
export async function turnOff(): Promise<void> {
  for (const { id } of await ownFactors()) {
    const { error } = await withProof(async () => (await auth()).mfa.unenroll({ factorId: id }))
    // Pressed twice, or turned off on another device.
    if (error && error.code !== 'mfa_factor_not_found') throw error
  }
  // The next token no longer speaks of the factor.
  const { error } = await (await auth()).refreshSession()
  if (error) throw error
}

/** In groups of four, as people read keys out to themselves. */
export function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
