// Signed addresses. Their tokens bear no role, so none is worth anything as an access token, and a scope, so none is
// worth anything for another action.
import { TokenRefusedError } from '#http/access-tokens.ts'
import { storageErrors } from './errors.ts'
import type { Storage } from './service.ts'

export type Scope = 'download' | 'upload'
export type SignedClaims = { url: string; upsert?: boolean; owner?: string | null }

/** Signs for one action on one object, `bucket/name`. */
export function sign(
  { tokens, clock }: Storage,
  scope: Scope,
  claims: SignedClaims,
  seconds: number,
): Promise<string> {
  const iat = Math.floor(clock.now() / 1000)
  return tokens.sign({ ...claims, scope, iat, exp: iat + seconds })
}

/** @throws InvalidJWT, ExpiredToken, or InvalidSignature for a token made for something else */
export async function verifySignature(
  { tokens }: Storage,
  request: Request,
  scope: Scope,
  address: string,
): Promise<SignedClaims & { expiresAt: number }> {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const claims = await tokens.verifyClaims(token).catch((error: unknown) => {
    if (!(error instanceof TokenRefusedError)) throw error
    throw error.reason === 'expired'
      ? storageErrors.expiredToken({ cause: error })
      : storageErrors.invalidToken({ cause: error })
  })
  const { exp, owner } = claims
  if (claims.scope !== scope || claims.url !== address || typeof exp !== 'number')
    throw storageErrors.invalidSignature()
  return {
    url: address,
    upsert: claims.upsert === true,
    owner: typeof owner === 'string' ? owner : null,
    expiresAt: exp * 1000,
  }
}
