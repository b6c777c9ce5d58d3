import { expect, test } from 'vitest'
import { readSettings, SettingsError } from './settings.ts'

test('every setting has a default, so a newcomer sets nothing', () => {
  expect(readSettings({ PATH: '/bin', HOME: '/home/maya', POSTS: '1' })).toMatchObject({
    PORT: 8080,
    HOST: '127.0.0.1',
    TRUST_PROXY: 0,
  })
})

test.each([
  [{ PORT: 'eighty' }, 'Setting PORT must be a number.'],
  [{ PORT: '70000' }, 'Setting PORT must be between 0 and 65535.'],
  [
    { SITE_URL: 'rally.example.com' },
    'Setting SITE_URL must be a URL that begins with http:// or https://.',
  ],
  [
    { SITE_URL: 'https://example.com/rally' },
    'Setting SITE_URL must be the address of a host, such as https://rally.example.com, without a path.',
  ],
  [
    { DATABASE_URL: 'mysql://db' },
    'Setting DATABASE_URL must be a URL that begins with postgres:// or postgresql://.',
  ],
  [
    { SMTP_URL: 'localhost:25' },
    'Setting SMTP_URL must be a URL that begins with smtp:// or smtps://.',
  ],
  [{ MAIL_TEMPLATES: '/no/such/folder' }, 'Setting MAIL_TEMPLATES must be a folder that exists.'],
  [
    { LOG_LEVEL: 'loud' },
    'Setting LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.',
  ],
  [
    { TRUST_PROXY: 'true' },
    'Setting TRUST_PROXY must say whom to trust, because true would believe an address that the client made up: 1 behind one reverse proxy, or the addresses of the proxies.',
  ],
  [
    { TRUST_PROXY: 'caddy' },
    'Setting TRUST_PROXY must be the number of proxies (0 to 9), or their addresses and networks separated by commas, such as loopback,10.0.0.0/8.',
  ],
])('a malformed setting is refused in one sentence: %o', (environment, sentence) => {
  expect(() => readSettings(environment)).toThrow(new SettingsError(sentence))
})

test.each([
  ['DATADIR', 'DATA_DIR'],
  ['SMTP_URI', 'SMTP_URL'],
  ['database_url', 'DATABASE_URL'],
])('a misspelt setting %s is not silently ignored', (name, meant) => {
  expect(() => readSettings({ [name]: 'x' })).toThrow(
    `Unknown setting ${name}: did you mean ${meant}?`,
  )
})

test('command-line arguments are refused, because settings are environment variables', () => {
  expect(() => readSettings({}, ['--port=3000'])).toThrow(/^Unknown argument --port=3000/)
})

test.each([
  ['false', 0],
  ['1', 1],
  ['loopback, 10.0.0.0/8', ['loopback', '10.0.0.0/8']],
])('TRUST_PROXY=%s trusts %j', (given, trusted) => {
  expect(readSettings({ TRUST_PROXY: given }).TRUST_PROXY).toEqual(trusted)
})

test('an empty variable counts as not set', () => {
  expect(readSettings({ SMTP_URL: '' }).SMTP_URL).toBeUndefined()
})
