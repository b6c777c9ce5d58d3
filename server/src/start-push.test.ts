import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestBackend } from 'backend/testing/start-test-backend.ts'
import { loadPushKeys } from './push-keys.ts'
import { readSettings, SettingsError } from './settings.ts'
import { startPush } from './start-push.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'start-push-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

test('the VAPID keys are generated once and are private', async () => {
  // Two processes that start at once.
  const [keys, others] = await Promise.all([loadPushKeys(dataDir), loadPushKeys(dataDir)])
  expect(others).toEqual(keys)
  expect(await loadPushKeys(dataDir)).toEqual(keys)
  const path = join(dataDir, 'push-keys.json')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readFile(path, 'utf8')).toContain(keys.publicKey)
  await writeFile(path, '{')
  await expect(loadPushKeys(dataDir)).rejects.toThrow('damaged')
})

test('without settings, web push is on and the other channels say what is missing', async () => {
  const backend = await startTestBackend({ migrations: 'product' })
  try {
    const settings = { ...readSettings({}), DATA_DIR: dataDir }
    const push = await startPush(settings, {
      siteUrl: 'http://localhost:8080',
      database: backend.database,
      log: pino({ level: 'silent' }),
    })
    await push.close()
    expect(push.summary).toBe(
      'Android off (PUSH_FCM_SERVICE_ACCOUNT is not set), browsers on, ' +
        'iOS off (not set: PUSH_APNS_KEY, PUSH_APNS_KEY_ID, PUSH_APNS_TEAM_ID, PUSH_APNS_TOPIC)',
    )
  } finally {
    await backend.close()
  }
})

test.each([
  [
    { PUSH_VAPID_SUBJECT: 'admin' },
    'Setting PUSH_VAPID_SUBJECT must begin with mailto: or https://.',
  ],
  [
    { PUSH_WEB_SERVICES: 'https://push.example.com/path' },
    'Setting PUSH_WEB_SERVICES must be addresses such as https://push.example.com, with spaces between them.',
  ],
  [
    { PUSH_FCM_SERVICE_ACCOUNT: '/etc/fcm.json' },
    "Setting PUSH_FCM_SERVICE_ACCOUNT must be the text of Google's service-account file.",
  ],
])('a malformed credential is refused at start: %o', (environment, sentence) => {
  expect(() => readSettings(environment)).toThrow(new SettingsError(sentence))
})
