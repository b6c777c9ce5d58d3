// Resolves the caller of an API key or access token.
import { anonymousCaller, serviceCaller, type Caller } from '#http/caller.ts'
import { TokenRefusedError, type AccessTokens } from '#http/access-tokens.ts'
import { channelErrors, type ChannelError } from '#realtime/errors.ts'

type Keys = { publishableKey: string; secretKey: string; tokens: AccessTokens }

/** What a decoder reports for text that is no token at all. */
const MALFORMED = ['ERR_JWS_INVALID', 'ERR_JWT_INVALID']

function refusal(error: unknown): ChannelError {
  if (!(error instanceof TokenRefusedError)) return channelErrors.tokenInvalid(error)
  if (error.reason === 'expired') return channelErrors.tokenExpired()
  if (error.reason === 'no-role') return channelErrors.tokenLacksClaims()
  const { code = '' } = (error.cause ?? {}) as { code?: string }
  return MALFORMED.includes(code)
    ? channelErrors.tokenMalformed(error)
    : channelErrors.tokenInvalid(error)
}

export type IdentifyCaller = {
  /** Null for an unknown key. An access token is accepted as a key, as on hosted Supabase. */
  byApiKey(apiKey: string): Promise<Caller | null>
  /** @throws ChannelError when the token is invalid or expired */
  byAccessToken(token: string): Promise<Caller>
}

export function createIdentifyCaller({ publishableKey, secretKey, tokens }: Keys): IdentifyCaller {
  async function byAccessToken(token: string): Promise<Caller> {
    const caller = await tokens.verify(token).catch((cause: unknown) => {
      throw refusal(cause)
    })
    if (typeof caller.claims.exp !== 'number') throw channelErrors.tokenLacksClaims()
    return caller
  }

  return {
    byAccessToken,
    async byApiKey(apiKey) {
      if (apiKey === publishableKey) return anonymousCaller
      if (apiKey === secretKey) return serviceCaller
      return byAccessToken(apiKey).catch(() => null)
    },
  }
}
