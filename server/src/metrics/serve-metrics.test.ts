import { afterAll, beforeAll, expect, test } from 'vitest'
import { anInstallation, type Installation } from '../../testing/an-installation.ts'
import { readSettings } from '../settings.ts'
import { exposition } from './exposition.ts'

const TOKEN = 'a token of a monitor, long enough'
let team: Installation

beforeAll(async () => {
  team = await anInstallation({ demo: true, environment: { METRICS_TOKEN: TOKEN } })
}, 90_000)
afterAll(() => team?.close())

const look = (authorization = `Bearer ${TOKEN}`) =>
  fetch(`${team.url}/_metrics`, { headers: { authorization } })

/** Values by name and labels, as Prometheus reads them; fails on a line it could not read. */
function read(text: string): Map<string, number> {
  const values = new Map<string, number>()
  const typed = new Set<string>()
  for (const line of text.trimEnd().split('\n')) {
    const [, type] = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line) ?? []
    if (type) typed.add(type)
    if (line.startsWith('# ')) continue
    const [, name = '', labels = '', value] =
      /^([a-z_]+)((?:\{(?:[a-z]+="[^"\\\n]*",?)+\})?) (-?[\d.e+-]+)$/.exec(line) ?? []
    expect(value, line).toBeDefined()
    expect(typed.has(name.replace(/_(bucket|sum|count)$/, '')) || typed.has(name), line).toBe(true)
    expect(values.has(name + labels), line).toBe(false)
    values.set(name + labels, Number(value))
  }
  return values
}

test('only who has the token sees the figures, and only where it is set', async () => {
  for (const wrong of ['', 'Bearer ', `Bearer ${TOKEN}x`, TOKEN, `Bearer ${team.secretKey}`]) {
    const response = await look(wrong)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await response.text()).not.toContain('rally_')
  }
  expect(() => readSettings({ METRICS_TOKEN: 'short' })).toThrow(
    'Setting METRICS_TOKEN must have at least 24 characters.',
  )
  const without = await anInstallation({ demo: false })
  try {
    const response = await fetch(`${without.url}/_metrics`)
    expect(await response.json()).toEqual({ message: 'Off: METRICS_TOKEN is not set.' })
    expect(response.status).toBe(404)
  } finally {
    await without.close()
  }
}, 90_000)

test('requests are counted by service, with how long they took; what a caller sends is no label', async () => {
  await team.signIn()
  await team.send('/rest/v1/no_such_table?x="}')
  for (let n = 0; n < 20; n++) await team.send(`/made-up-${n}/v1/x.js`)
  await expect
    .poll(async () => read(await (await look()).text()).get(count('rest')) ?? 0, {
      interval: 1000,
      timeout: 15_000,
    })
    .toBeGreaterThan(0)
  const response = await look()
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const values = read(await response.text())
  expect(values.get('rally_requests_total{service="auth",status="2xx"}')).toBeGreaterThan(0)
  expect(values.get('rally_requests_total{service="app",status="4xx"}')).toBeGreaterThan(19)
  expect(values.get(bucket('auth', '+Inf'))).toBe(values.get(count('auth')))
  expect(values.get(bucket('auth', '10'))).toBe(values.get(count('auth')))
  expect(values.get(bucket('auth', '0.005'))).toBeLessThanOrEqual(values.get(count('auth')) ?? 0)
  expect([...values.keys()].filter((name) => name.includes('made-up'))).toEqual([])
}, 30_000)

const count = (service: string) => `rally_request_seconds_count{service="${service}"}`
const bucket = (service: string, le: string) =>
  `rally_request_seconds_bucket{service="${service}",le="${le}"}`

test('what the process and the database know is there, and is collected at most once in five seconds', async () => {
  const texts = await Promise.all(Array.from({ length: 50 }, async () => (await look()).text()))
  expect(new Set(texts).size).toBeLessThanOrEqual(2)
  const values = read(texts[0] ?? '')
  const members = await team.sql<{ count: string }>(
    'select count(*) from private.members where is_active',
  )
  expect(values.get('rally_members')).toBe(Number(members[0]?.count))
  expect(values.get('rally_database_up')).toBe(1)
  expect(values.get('rally_push_failed')).toBe(0)
  expect(values.get('rally_mails_unsent')).toBe(0)
  expect(values.get('rally_disk_free_bytes')).toBeGreaterThan(0)
  expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(1e6)
  // Nobody makes backups here, which is not the same as a backup that is missing.
  expect(values.has('rally_backup_problems')).toBe(false)
})

test('labels are escaped', () => {
  const samples = [{ labels: { text: 'a"b\\c\nd' }, value: 1 }]
  expect(exposition([{ name: 'x', help: 'X.', type: 'gauge', samples }])).toBe(
    '# HELP x X.\n# TYPE x gauge\nx{text="a\\"b\\\\c\\nd"} 1\n',
  )
})
