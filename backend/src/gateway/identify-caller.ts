// Authenticates a request: the API key identifies the app (public client or trusted server), the bearer token the user.
import { anonymousCaller, serviceCaller, type Caller } from '#http/caller.ts'
import { TokenRefusedError, type AccessTokens } from '#http/access-tokens.ts'
import { ServiceError } from '#http/service-error.ts'
import type { InstallationKeys } from '#http/installation-keys.ts'
import { refusedToken } from './refused-token.ts'
import type { ServiceKind } from './services.ts'

type Keys = Pick<InstallationKeys, 'publishableKey' | 'secretKey'>

/** @throws ServiceError 401 or 403, as the called service would return it */
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
  const token = bearerToken(request, kind)
  if (token === null) return byKey
  if (token === keys.publishableKey) return anonymousCaller
  if (token === keys.secretKey) return byKey === serviceCaller ? byKey : rejectKey()
  try {
    return await tokens.verify(token)
  } catch (error) {
    if (!(error instanceof TokenRefusedError)) throw error
    if (error.reason === 'no-role' && kind === 'rest') return anonymousCaller
    throw refusedToken(kind, token, error)
  }
}

function callerOfKey(request: Request, keys: Keys, open: boolean): Caller {
  const key = request.headers.get('apikey') ?? new URL(request.url).searchParams.get('apikey')
  if (key === keys.publishableKey) return anonymousCaller
  if (key === keys.secretKey) {
    // A browser would expose the key to its user, so it is rejected there, as on hosted Supabase.
    if (request.headers.get('user-agent')?.startsWith('Mozilla/')) {
      throw invalidKey(
        'Forbidden use of secret API key in browser',
        'Use the publishable key there.',
      )
    }
    return serviceCaller
  }
  if (open) return anonymousCaller
  if (key !== null) return rejectKey()
  throw invalidKey(
    'No API key found in request',
    'No `apikey` request header or url param was found.',
  )
}

/** The Data API refuses what follows `Bearer` even if it cannot be a token; the others ignore that. */
function bearerToken(request: Request, kind: ServiceKind): string | null {
  const header = request.headers.get('authorization')?.trim()
  if (!header) return null
  const pattern = kind === 'rest' ? /^bearer(?:\s+(.*))?$/i : /^bearer\s+(\S+)$/i
  const found = pattern.exec(header)
  return found && (found[1] ?? '')
}

function rejectKey(): never {
  throw invalidKey('Invalid API key', 'Double check the API key of your project.')
}

function invalidKey(message: string, hint: string): ServiceError {
  return new ServiceError({ status: 401, code: 'invalid_api_key', message, hint })
}
