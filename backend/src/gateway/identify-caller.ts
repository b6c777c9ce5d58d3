// Who is asking: the API key says from where (the public app, or a trusted server), the bearer token says who.
import { anonymousCaller, serviceCaller, type Caller } from '#http/caller.ts'
import { TokenRefusedError, type AccessTokens, type TokenRefusal } from '#http/access-tokens.ts'
import { ServiceError } from '#http/service-error.ts'
import type { InstallationKeys } from '#http/installation-keys.ts'
import type { ServiceKind } from './services.ts'

type Keys = Pick<InstallationKeys, 'publishableKey' | 'secretKey'>

/** @throws ServiceError 401 or 403, in the words of the service that was called */
export async function identifyCaller(
  request: Request,
  {
    kind,
    keys,
    tokens,
    open,
  }: { kind: ServiceKind; keys: Keys; tokens: AccessTokens; open: boolean },
): Promise<Caller> {
  const byKey = callerOfKey(request, keys, open)
  const token = bearerToken(request)
  if (token === null) return byKey
  if (token === keys.publishableKey) return anonymousCaller
  if (token === keys.secretKey) return byKey === serviceCaller ? byKey : refuseKey()
  try {
    return await tokens.verify(token)
  } catch (error) {
    if (error instanceof TokenRefusedError) throw refuseToken(kind, error.reason, error)
    throw error
  }
}

function callerOfKey(request: Request, keys: Keys, open: boolean): Caller {
  const key = request.headers.get('apikey') ?? new URL(request.url).searchParams.get('apikey')
  if (key === keys.publishableKey) return anonymousCaller
  if (key === keys.secretKey) {
    // Whoever can see a page's requests could take the key, so it does not work there (as hosted).
    if (request.headers.get('user-agent')?.startsWith('Mozilla/')) {
      throw refused('Forbidden use of secret API key in browser', 'Use the publishable key there.')
    }
    return serviceCaller
  }
  if (open) return anonymousCaller
  if (key !== null) return refuseKey()
  throw refused('No API key found in request', 'No `apikey` request header or url param was found.')
}

function bearerToken(request: Request): string | null {
  const header = request.headers.get('authorization')
  if (!header) return null
  return /^bearer\s+(\S+)$/i.exec(header.trim())?.[1] ?? null
}

function refuseKey(): never {
  throw refused('Invalid API key', 'Double check the API key of your project.')
}

function refused(message: string, hint: string): ServiceError {
  return new ServiceError({ status: 401, code: 'invalid_api_key', message, hint })
}

function refuseToken(kind: ServiceKind, reason: TokenRefusal, cause: unknown): ServiceError {
  const expired = reason === 'expired'
  if (kind === 'rest') {
    return new ServiceError({
      status: 401,
      code: expired ? 'PGRST303' : 'PGRST301',
      message: expired ? 'JWT expired' : 'No suitable key or wrong key type',
      headers: {
        'www-authenticate': `Bearer error="invalid_token", error_description="${expired ? 'JWT expired' : 'invalid token'}"`,
      },
      cause,
    })
  }
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
