import fastify from 'fastify'
import { expect, test } from 'vitest'
import { serveAppLinks } from './app-links.ts'
import { readSettings } from './settings.ts'

const FINGERPRINT = Array.from({ length: 32 }, () => 'AB').join(':')

async function ask(environment: Record<string, string>, path: string) {
  const app = fastify()
  serveAppLinks(app, readSettings(environment))
  return app.inject(`/.well-known/${path}`)
}

test('Android gets the app and its signing certificate', async () => {
  const set = { APP_LINKS_ANDROID: `com.example.rally ${FINGERPRINT}` }
  const response = await ask(set, 'assetlinks.json')
  expect(response.json()).toMatchObject([
    { target: { package_name: 'com.example.rally', sha256_cert_fingerprints: [FINGERPRINT] } },
  ])
})

test('iOS gets the app and the paths that do not belong to it', async () => {
  const response = await ask(
    { APP_LINKS_IOS: 'ABCDE12345.com.example.rally' },
    'apple-app-site-association',
  )
  expect(response.headers['content-type']).toContain('application/json')
  const [details] = response.json<{ applinks: { details: object[] } }>().applinks.details
  expect(details).toMatchObject({ appIDs: ['ABCDE12345.com.example.rally'] })
})

test('a site without apps serves no association files', async () => {
  expect((await ask({}, 'assetlinks.json')).statusCode).toBe(404)
})

test.each([
  [{ APP_LINKS_ANDROID: 'com.example.rally' }, /APP_LINKS_ANDROID must be/],
  [{ APP_LINKS_IOS: 'com.example.rally' }, /APP_LINKS_IOS must be/],
])('a malformed setting is refused at start: %o', (environment, sentence) => {
  expect(() => readSettings(environment)).toThrow(sentence)
})
