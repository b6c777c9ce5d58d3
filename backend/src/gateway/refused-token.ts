// The error for an access token that is not accepted, in the words of the called service.
import type { TokenRefusedError } from '#http/access-tokens.ts'
import { ServiceError } from '#http/service-error.ts'
import type { ServiceKind } from './services.ts'

export function refusedToken(
  kind: ServiceKind,
  token: string,
  cause: TokenRefusedError,
): ServiceError {
  const expired = cause.reason === 'expired'
  if (kind === 'rest') return restError(token, cause)
  if (kind === 'auth') {
    return new ServiceError({
      status: 403,
      code: 'bad_jwt',
      message: `invalid JWT: unable to parse or verify signature, ${expired ? 'token is expired' : 'token is unverifiable'}`,
      cause,
    })
  }
  if (kind === 'functions') {
    return new ServiceError({ status: 401, code: 'invalid_jwt', message: 'Invalid JWT', cause })
  }
  return new ServiceError({
    status: 403,
    code: 'Unauthorized',
    message: expired ? '"exp" claim timestamp check failed' : 'Invalid Compact JWS',
    cause,
  })
}

function restError(token: string, cause: TokenRefusedError): ServiceError {
  const { code, message, details } = restWords(token, cause)
  return new ServiceError({
    status: 401,
    code,
    message,
    details,
    headers: {
      'proxy-status': `PostgREST; error=${code}`,
      'www-authenticate': `Bearer error="invalid_token", error_description=${JSON.stringify(message)}`,
    },
    cause,
  })
}

type Words = { code: string; message: string; details?: string }

/** PGRST301: the token cannot be decoded. PGRST303: its claims do not allow it now. */
function restWords(token: string, { reason, cause }: TokenRefusedError): Words {
  const claims = (message: string): Words => ({ code: 'PGRST303', message })
  const decoding = (message: string, details?: string): Words => ({
    code: 'PGRST301',
    message,
    details,
  })
  if (reason === 'expired') return claims('JWT expired')
  if (token === '') return decoding('Empty JWT is sent in Authorization header')
  const parts = token.split('.').length
  if (parts !== 3) return decoding(`Expected 3 parts in JWT; got ${parts}`)
  const found = cause as { code?: string; claim?: string; reason?: string } | undefined
  switch (found?.code) {
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      if (found.reason === 'check_failed') return claims('JWT not yet valid')
      return claims(`The JWT '${found.claim}' claim must be a number`)
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
      return decoding('Wrong or unsupported encoding algorithm')
    case 'ERR_JWKS_NO_MATCHING_KEY':
      return decoding(
        'No suitable key or wrong key type',
        'No suitable key was found to decode the JWT',
      )
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return decoding(
        'No suitable key or wrong key type',
        'None of the keys was able to decode the JWT',
      )
    default:
      return decoding('JWT cryptographic operation failed')
  }
}
