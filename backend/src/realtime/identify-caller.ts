// Who a key or token stands for on a channel.
import { anonymousCaller, serviceCaller, type Caller } from '#http/caller.ts'
import { TokenRefusedError, type AccessTokens } from '#http/access-tokens.ts'
import { channelErrors } from './errors.ts'

type Keys = { publishableKey: string; secretKey: string; tokens: AccessTokens }

export type IdentifyCaller = {
  /** The caller an API key stands for, or null. A token is taken for a key too, as hosted Supabase does. */
  byApiKey(apiKey: string): Promise<Caller | null>
  /** @throws ChannelError when the token does not hold */
  byAccessToken(token: string): Promise<Caller>
}

export function createIdentifyCaller({ publishableKey, secretKey, tokens }: Keys): IdentifyCaller {
  async function byAccessToken(token: string): Promise<Caller> {
    const caller = await tokens.verify(token).catch((cause: unknown) => {
      if (cause instanceof TokenRefusedError && cause.reason === 'expired')
        throw channelErrors.tokenExpired()
      throw channelErrors.tokenInvalid(cause)
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
