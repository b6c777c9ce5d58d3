// Endpoints this service does not implement: each responds as hosted Supabase does with the feature disabled.
import * as v from 'valibot'
import { readBody, text, type Action } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'

function disabledFeature(code: string, status: number, message: string): Action {
  return () => Promise.reject(authErrors.notSupported(code, status, message))
}

export const refuseProvider = disabledFeature(
  'validation_failed',
  400,
  'Unsupported provider: provider is not enabled',
)
const idTokenSchema = v.object({ id_token: text, provider: text, client_id: text, issuer: text })

/** The issuers of the providers that hosted projects know. */
const ISSUERS: Record<string, string> = {
  apple: 'https://appleid.apple.com',
  google: 'https://accounts.google.com',
  facebook: 'https://www.facebook.com',
  kakao: 'https://kauth.kakao.com',
}

/** POST /token?grant_type=id_token */
export const refuseIdToken: Action = async (call) => {
  const { id_token, provider, client_id, issuer } = await readBody(call.request, idTokenSchema)
  if (id_token === '') throw authErrors.invalidOauthRequest('id_token required')
  if (provider === '' && (client_id === '' || issuer === ''))
    throw authErrors.invalidOauthRequest('provider or client_id and issuer required')
  const known = ISSUERS[provider] ?? Object.values(ISSUERS).find((each) => each === issuer)
  if (known === undefined)
    throw authErrors.validationFailed(`Custom OIDC provider "${provider}" not allowed`)
  throw authErrors.notSupported(
    'provider_disabled',
    400,
    `Provider (issuer "${known}") is not enabled`,
  )
}
export const refuseWeb3 = disabledFeature(
  'web3_provider_disabled',
  422,
  'Web3 provider is disabled',
)
export const refuseSingleSignOn = disabledFeature(
  'saml_provider_disabled',
  404,
  'SAML 2.0 is disabled',
)
export const refuseLinking = disabledFeature(
  'manual_linking_disabled',
  404,
  'Manual linking is disabled',
)
export const refusePasskey = disabledFeature('passkey_disabled', 404, 'Passkeys are disabled')
