// Settings are environment variables, all optional and checked at start, so that a mistake is reported in one clear sentence.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { parseNetwork } from 'backend/http/client-address.ts'
import { backupSettings } from './backup/backup-settings.ts'
import { pushSettings } from './push-settings.ts'

const port = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, 'must be a number'),
  v.transform(Number),
  v.integer(),
  v.minValue(0, 'must be between 0 and 65535'),
  v.maxValue(65_535, 'must be between 0 and 65535'),
)

function url(...protocols: string[]) {
  const expected = `must be a URL that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`
  return v.pipe(
    v.string(),
    v.check((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), expected),
  )
}

const HOPS = /^[0-9]$/
const trustedProxies = v.pipe(
  v.string(),
  v.check(
    (text) => text !== 'true',
    'must say whom to trust, because true would believe an address that the client made up: 1 behind one reverse proxy, or the addresses of the proxies',
  ),
  v.transform((text): number | string[] => {
    if (text === 'false') return 0
    return HOPS.test(text) ? Number(text) : text.split(',').map((each) => each.trim())
  }),
  v.check(
    (trusted) =>
      typeof trusted === 'number' ||
      trusted.every((each) => each === 'loopback' || parseNetwork(each) !== null),
    'must be the number of proxies (0 to 9), or their addresses and networks separated by commas, such as loopback,10.0.0.0/8',
  ),
)

/** Every setting by its name; the README's table lists them too. */
const schema = v.object({
  PORT: v.optional(port, '8080'),
  HOST: v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), '127.0.0.1'),
  SITE_URL: v.optional(
    v.pipe(
      url('http:', 'https:'),
      v.transform((text) => text.replace(/\/+$/, '')),
      v.check(
        (text) => /^https?:\/\/[^/?#@]+$/i.test(text),
        'must be the address of a host, such as https://rally.example.com, without a path',
      ),
    ),
  ),
  DATA_DIR: v.optional(
    v.pipe(
      v.string(),
      v.nonEmpty('must not be empty'),
      v.transform((path) => resolve(path)),
    ),
    '.data',
  ),
  DATABASE_URL: v.optional(url('postgres:', 'postgresql:')),
  SMTP_URL: v.optional(url('smtp:', 'smtps:')),
  MAIL_FROM: v.optional(
    v.pipe(v.string(), v.regex(/^[^\r\n]*@[^\r\n]+$/, 'must be an email address')),
  ),
  MAIL_TEMPLATES: v.optional(
    v.pipe(
      v.string(),
      v.transform((path) => resolve(path)),
      v.check((path) => existsSync(path), 'must be a folder that exists'),
    ),
  ),
  RATE_LIMIT_FACTOR: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d+(\.\d+)?$/, 'must be a number, 0 or more'),
      v.transform(Number),
    ),
    '1',
  ),
  S3_ENDPOINT: v.optional(url('http:', 'https:')),
  S3_REGION: v.optional(v.string(), 'us-east-1'),
  S3_BUCKET: v.optional(v.string()),
  S3_ACCESS_KEY_ID: v.optional(v.string()),
  S3_SECRET_ACCESS_KEY: v.optional(v.string()),
  ...backupSettings,
  ...pushSettings,
  APP_LINKS_ANDROID: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^\S+(\s+([\dA-F]{2}:){31}[\dA-F]{2})+$/,
        "must be the app's id and the SHA-256 fingerprint of its certificate",
      ),
    ),
  ),
  APP_LINKS_IOS: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[\dA-Z]{10}\.\S+$/, "must be the team's id, a dot and the bundle id"),
    ),
  ),
  SETUP_CODE: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => text.replaceAll(/[^0-9a-z]/gi, '').length >= 12,
        'must have at least 12 letters or digits',
      ),
    ),
  ),
  DRAIN_SECONDS: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, 'must be a number of seconds'),
      v.transform(Number),
      v.maxValue(300, 'must be 300 at most'),
    ),
    '20',
  ),
  WORKERS: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,2}$/, 'must be a number'),
      v.transform(Number),
      v.minValue(1, 'must be between 1 and 64'),
      v.maxValue(64, 'must be between 1 and 64'),
    ),
    '1',
  ),
  TRUST_PROXY: v.optional(trustedProxies, 'false'),
  METRICS_TOKEN: v.optional(
    v.pipe(v.string(), v.minLength(24, 'must have at least 24 characters')),
  ),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    ),
    'warn',
  ),
})

export type Settings = v.InferOutput<typeof schema>
export const SETTING_NAMES = Object.keys(schema.entries)

/** A mistake in how the program was started; the message is all the operator needs, without a stack. */
export class SettingsError extends Error {}

/** @throws SettingsError for a malformed setting, or for a variable whose name looks like a typo of one */
export function readSettings(environment: NodeJS.ProcessEnv, args: string[] = []): Settings {
  if (args[0]) {
    throw new SettingsError(
      `Unknown argument ${args[0]}: settings are environment variables (${SETTING_NAMES.join(', ')}).`,
    )
  }
  for (const name of Object.keys(environment)) {
    const suggestion = SETTING_NAMES.find((each) => isNearly(name, each))
    if (suggestion) throw new SettingsError(`Unknown setting ${name}: did you mean ${suggestion}?`)
  }
  // Compose files and shells pass an unset variable as an empty one.
  const given = Object.fromEntries(
    SETTING_NAMES.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
  const parsed = v.safeParse(schema, given)
  if (parsed.success) return parsed.output
  const issue = parsed.issues[0]
  throw new SettingsError(`Setting ${String(issue.path?.[0]?.key)} ${issue.message}.`)
}

/** Short names such as PORT resemble too many common variables (PATH, HOME). */
const MIN_GUESSABLE_LENGTH = 7

function isNearly(name: string, setting: string): boolean {
  if (SETTING_NAMES.includes(name) || setting.length < MIN_GUESSABLE_LENGTH) return false
  const plain = (text: string) => text.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return plain(name) === plain(setting) || editDistance(name.toUpperCase(), setting) === 1
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
