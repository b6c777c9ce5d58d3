import {
  createLocalJWKSet,
  importJWK,
  jwtVerify,
  SignJWT,
  type JSONWebKeySet,
  type JWK,
} from 'jose'
import { callerFromClaims, type Caller, type Claims } from './caller.ts'
import type { Clock } from './clock.ts'
import { isExpired, VerifiedTokens } from './verified-tokens.ts'

const ALGORITHM = 'ES256'

/** Why a token was refused. */
export type TokenRefusal = 'expired' | 'invalid' | 'no-role'

export class TokenRefusedError extends Error {
  readonly reason: TokenRefusal
  constructor(reason: TokenRefusal, options?: ErrorOptions) {
    super(reason === 'expired' ? 'JWT expired' : 'invalid JWT', options)
    this.reason = reason
  }
}

export type AccessTokens = {
  /** Signs the claims unchanged; the caller sets `iat`, `exp` and `iss`. */
  sign(claims: Claims | Record<string, unknown>): Promise<string>
  /** Verifies an access token and returns its caller. @throws TokenRefusedError */
  verify(token: string): Promise<Caller>
  /** Verifies any token signed here, such as a signed URL's, and returns its claims. @throws TokenRefusedError */
  verifyClaims(token: string): Promise<Record<string, unknown>>
  /** Public keys, for `/auth/v1/.well-known/jwks.json`. */
  keySet: JSONWebKeySet
}

/** Signs and verifies the tokens of one installation. Only ES256 is accepted, so `alg: none` and other keys fail. */
export async function createAccessTokens(
  signingKey: JWK & { kid: string },
  clock: Clock,
): Promise<AccessTokens> {
  const privateKey = await importJWK(signingKey, ALGORITHM)
  const keySet = { keys: [publicPart(signingKey)] }
  const findKey = createLocalJWKSet(keySet)
  const verified = new VerifiedTokens()
  const verifying = new Map<string, Promise<Caller>>()

  async function verifyClaims(token: string): Promise<Record<string, unknown>> {
    try {
      const { payload } = await jwtVerify(token, findKey, {
        algorithms: [ALGORITHM],
        currentDate: new Date(clock.now()),
      })
      return payload
    } catch (cause) {
      const code = (cause as { code?: string }).code
      throw new TokenRefusedError(code === 'ERR_JWT_EXPIRED' ? 'expired' : 'invalid', { cause })
    }
  }

  async function verifyCaller(token: string): Promise<Caller> {
    const claims = await verifyClaims(token)
    if (typeof claims.role !== 'string') throw new TokenRefusedError('no-role')
    const caller = callerFromClaims(claims as Claims)
    verified.add(token, caller, clock.now())
    return caller
  }

  return {
    keySet,
    verifyClaims,
    sign: (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, kid: signingKey.kid, typ: 'JWT' })
        .sign(privateKey),
    async verify(token) {
      const known = verified.get(token)
      if (known) {
        if (!isExpired(known.claims, clock.now())) return known
        verified.delete(token)
        throw new TokenRefusedError('expired')
      }
      // An app that starts sends the same token several times at once.
      const running =
        verifying.get(token) ?? verifyCaller(token).finally(() => verifying.delete(token))
      verifying.set(token, running)
      return running
    },
  }
}

function publicPart({ d: _private, ...key }: JWK): JWK {
  return key
}
