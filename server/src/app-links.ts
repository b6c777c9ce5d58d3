// Publishes which apps belong to this site, so that its https links open them (docs/native.md).
import type { FastifyInstance } from 'fastify'
import type { Settings } from './settings.ts'

type AppLinks = Pick<Settings, 'APP_LINKS_ANDROID' | 'APP_LINKS_IOS'>

/** Paths the server handles itself. Mailed links under `/auth` are an exception: the app redeems them. */
const SERVER_PATHS = [
  '/_mail*',
  '/rest/*',
  '/batch/*',
  '/storage/*',
  '/realtime/*',
  '/functions/*',
  '/assets/*',
]

export function serveAppLinks(app: FastifyInstance, settings: AppLinks): void {
  const { APP_LINKS_ANDROID: android, APP_LINKS_IOS: ios } = settings
  if (android) app.get('/.well-known/assetlinks.json', () => androidStatement(android))
  if (ios) app.get('/.well-known/apple-app-site-association', () => appleStatement(ios))
}

function androidStatement(setting: string) {
  const [package_name, ...sha256_cert_fingerprints] = setting.split(/\s+/)
  return [
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: { namespace: 'android_app', package_name, sha256_cert_fingerprints },
    },
  ]
}

function appleStatement(appID: string) {
  const components = [
    ...SERVER_PATHS.map((path) => ({ '/': path, exclude: true })),
    { '/': '/auth/v1/verify' },
    { '/': '/auth/*', exclude: true },
    { '/': '*' },
  ]
  return { applinks: { details: [{ appIDs: [appID], components }] } }
}
