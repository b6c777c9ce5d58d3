import type { Action } from './action.ts'

const PROVIDERS_LEFT_OUT = [
  'anonymous_users',
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'keycloak',
  'kakao',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'spotify',
  'slack',
  'slack_oidc',
  'workos',
  'twitch',
  'twitter',
  'x',
  'phone',
  'zoom',
]

/** GET /settings: what a sign-in screen may offer. */
export const readSettings: Action = (_call, { settings }) =>
  Promise.resolve(
    Response.json({
      external: {
        ...Object.fromEntries(PROVIDERS_LEFT_OUT.map((name) => [name, false])),
        email: true,
      },
      disable_signup: settings.signUpDisabled,
      mailer_autoconfirm: settings.autoconfirm,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
      passkeys_enabled: false,
    }),
  )

/** GET /health */
export const readHealth: Action = async (_call, { database }) => {
  await database.query({ text: 'select' })
  return Response.json({
    version: '1.0.0',
    name: 'GoTrue',
    description: 'Accounts, speaking the protocol of GoTrue',
  })
}

/** GET /.well-known/jwks.json: the keys that access tokens are checked with. */
export const readKeySet: Action = (_call, { tokens }) =>
  Promise.resolve(
    Response.json(tokens.keySet, { headers: { 'cache-control': 'public, max-age=600' } }),
  )
