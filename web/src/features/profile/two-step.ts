import { PRODUCT_NAME } from '#domain/product.ts'
import { callFunction } from '#lib/supabase/call-function.ts'
import { verifiedFactors } from '#lib/supabase/second-factor.ts'
import { auth } from '#lib/supabase/supabase.ts'

/** What an authenticator app needs: the picture, the key to type, or the address that opens it. */
export type SetUp = { factorId: string; qrCode: string; secret: string; uri: string }

/** Begins a set-up. One that was left unfinished is replaced: its key may have been seen. */
export async function beginSetUp(): Promise<SetUp> {
  const { data: known, error: failure } = await (await auth()).mfa.listFactors()
  if (failure) throw failure
  for (const factor of known.all)
    if (factor.status === 'unverified') await (await auth()).mfa.unenroll({ factorId: factor.id })
  const { data, error } = await (
    await auth()
  ).mfa.enroll({
    factorType: 'totp',
    friendlyName: PRODUCT_NAME,
    issuer: PRODUCT_NAME,
  })
  if (error) throw error
  const { qr_code: qrCode, secret, uri } = data.totp
  return { factorId: data.id, qrCode, secret, uri }
}

/** Ten new codes; those before stop working. */
export function makeRecoveryCodes(): Promise<string[]> {
  return callFunction('create_recovery_codes')
}

/** Removes the second factor; the database forgets the recovery codes with it. */
export async function turnOff(): Promise<void> {
  const { data } = await (await auth()).getSession()
  for (const { id } of data.session ? verifiedFactors(data.session) : []) {
    const { error } = await (await auth()).mfa.unenroll({ factorId: id })
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
