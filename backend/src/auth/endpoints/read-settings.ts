import type { Action } from '#auth/context.ts'

const DISABLED_PROVIDERS = [
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

/** GET /settings: which sign-in methods are enabled. */
export const readSettings: Action = (_call, { settings }) =>
  Promise.resolve(
    Response.json({
      external: {
        ...Object.fromEntries(DISABLED_PROVIDERS.map((name) => [name, false])),
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

/** GET /.well-known/jwks.json: the public keys that verify access tokens. */
export const readKeySet: Action = (_call, { tokens }) =>
  Promise.resolve(
    Response.json(tokens.keySet, { headers: { 'cache-control': 'public, max-age=600' } }),
  )
