// What the protocol has and this service does not: each answers as hosted Supabase does where the feature is switched off.
import type { Action } from './action.ts'
import { authErrors } from './errors.ts'

function refuse(code: string, status: number, message: string): Action {
  return () => Promise.reject(authErrors.notSupported(code, status, message))
}

export const refuseProvider = refuse(
  'validation_failed',
  400,
  'Unsupported provider: provider is not enabled',
)
export const refuseIdToken = refuse('provider_disabled', 400, 'ID token sign-ins are disabled')
export const refuseWeb3 = refuse('web3_provider_disabled', 422, 'Web3 provider is disabled')
export const refuseSingleSignOn = refuse('saml_provider_disabled', 404, 'SAML 2.0 is disabled')
export const refuseFactor = refuse(
  'mfa_totp_enroll_not_enabled',
  422,
  'MFA enroll is disabled for TOTP',
)
export const refuseLinking = refuse('manual_linking_disabled', 404, 'Manual linking is disabled')
export const refusePasskey = refuse('passkey_disabled', 404, 'Passkeys are disabled')
