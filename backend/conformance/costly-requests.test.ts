// A request within the limits of its size must be cheap to refuse: the process has one thread for everybody. Measured in CPU,
// because time depends on what else the machine does. Each of these took 0.2 to 8 seconds before its limit came first.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../src/gateway/limits.ts'
import { LIMITS as HTTP_LIMITS } from '../src/http/limits.ts'
import { startWithCallers } from './rest-callers.ts'

const CHEAP_MS = 400
const MEBIBYTE = 1024 * 1024

let scene: Awaited<ReturnType<typeof startWithCallers>>
beforeAll(async () => {
  scene = await startWithCallers('create table public.notes (id int primary key, text text)')
  // Compiles what the first request of each service compiles.
  await Promise.all(
    ['/batch/v1', '/storage/v1/object/a', '/auth/v1/signup'].map((path) => ask(path, '{}')),
  )
})
afterAll(() => scene.backend.close())

type Sent = { method?: string; headers?: Record<string, string>; isMember?: boolean }

async function ask(path: string, body: string | null, sent: Sent = {}) {
  const { method = 'POST', headers = {}, isMember = false } = sent
  const { publishableKey: apikey, url } = scene.backend
  const init = {
    method,
    headers: { apikey, 'content-type': 'application/json', ...headers },
    ...(body !== null && { body }),
  }
  const response = await fetch(url + path, isMember ? scene.asMember(init) : init)
  await response.text()
  return response.status
}

const list = (element: string, bytes: number) =>
  `[${Array<string>(Math.floor(bytes / (element.length + 1)))
    .fill(element)
    .join()}]`
const names = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, 1])))
const part = (path: string, headers = {}) => JSON.stringify([{ method: 'GET', path, headers }])
const read = (query: string) => `/rest/v1/notes?${query}`
const LONG = 250_000
/** What fits into a request's head beside the rest of it. */
const HEAD = LIMITS.headerBytes - 2_000

// The body is refused; a preference that is unknown is ignored.
test.each<[string, string, string | null, Sent?]>([
  [
    'a million paths to remove',
    '/storage/v1/object/images',
    `{"prefixes":${list('0', MEBIBYTE)}}`,
    { method: 'DELETE', isMember: true },
  ],
  [
    'paths to sign',
    '/storage/v1/object/sign/images',
    `{"expiresIn":60,"paths":${list('"a"', MEBIBYTE)}}`,
    { isMember: true },
  ],
  [
    'types of a bucket',
    '/storage/v1/bucket',
    `{"name":"a","allowed_mime_types":${list('"a"', MEBIBYTE)}}`,
    { isMember: true },
  ],
  ['parts of a batch', '/batch/v1', list('{}', LONG), { isMember: true }],
  [
    'a part with a long path',
    '/batch/v1',
    part(read('a=eq.1&'.repeat(LONG / 7))),
    { isMember: true },
  ],
  [
    'a part with escapes that are no text',
    '/batch/v1',
    part(read('%ff=%fe&'.repeat(LONG / 8))),
    { isMember: true },
  ],
  [
    'a part with a long header',
    '/batch/v1',
    part(read(''), { prefer: 'timezone=Z,'.repeat(LONG / 11) }),
    { isMember: true },
  ],
  [
    'a part with many headers',
    '/batch/v1',
    part(read(''), JSON.parse(names(20_000)) as object),
    { isMember: true },
  ],
  ['escapes that are no text', read('%ff=%fe&'.repeat(HEAD / 8)), null, { method: 'GET' }],
  [
    'time zones',
    read('select=id'),
    null,
    { method: 'GET', headers: { prefer: 'timezone=Z,'.repeat(HEAD / 11) } },
  ],
  ['selected columns', read(`select=${'a,'.repeat(HEAD / 2)}a`), null, { method: 'GET' }],
  ['order terms', read(`order=${'a,'.repeat(HEAD / 2)}a`), null, { method: 'GET' }],
  ['filters in a tree', read(`or=(${'a.eq.1,'.repeat(HEAD / 7)}a.eq.1)`), null, { method: 'GET' }],
  ['names of columns', read(`columns=${'a,'.repeat(HEAD / 2)}a`), '{}', { isMember: true }],
  [
    'lines of CSV',
    '/rest/v1/notes',
    `id${'\n'.repeat(MEBIBYTE - 10)}`,
    { isMember: true, headers: { 'content-type': 'text/csv' } },
  ],
  [
    'cells of CSV',
    '/rest/v1/notes',
    ','.repeat(MEBIBYTE - 10),
    { isMember: true, headers: { 'content-type': 'text/csv' } },
  ],
  ['rows', '/rest/v1/notes', list('{}', MEBIBYTE), { isMember: true }],
  [
    'fields of a form',
    '/rest/v1/rpc/none',
    '%ff=1&'.repeat(LONG / 6),
    { isMember: true, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  [
    'names in a message',
    '/realtime/v1/api/broadcast',
    `{"messages":[{"topic":"a","event":"b","payload":${names(60_000)}}]}`,
    { isMember: true },
  ],
  [
    'names in metadata',
    '/auth/v1/signup',
    `{"email":"a@example.com","password":"long enough 1","data":${names(4_000)}}`,
  ],
])('too many %s cost little', async (_, path, body, sent) => {
  const before = process.cpuUsage()
  const status = await ask(path, body, sent)
  const { user, system } = process.cpuUsage(before)
  expect(status).toBeLessThan(500)
  expect((user + system) / 1000).toBeLessThan(CHEAP_MS)
})

const DEEP = '['.repeat(100_000) + ']'.repeat(100_000)
const MANY = names(60_000)
const broadcastOf = (payload: string) =>
  `{"messages":[{"topic":"a","event":"b","payload":{"a":${payload}}}]}`

test.each([
  ['/rest/v1/notes', DEEP],
  ['/rest/v1/notes', MANY],
  ['/batch/v1', DEEP],
  ['/storage/v1/object/list/images', `{"prefix":"","a":${DEEP}}`],
  ['/storage/v1/object/list/images', `{"prefix":"","a":${MANY}}`],
  ['/realtime/v1/api/broadcast', broadcastOf(DEEP)],
  ['/realtime/v1/api/broadcast', broadcastOf(MANY)],
  ['/realtime/v1/api/broadcast/a/events/b', DEEP],
  ['/auth/v1/signup', `{"email":"a@example.com","data":${DEEP.slice(90_000, -90_000)}}`],
])('JSON that is only nested or full of names is refused: %s, %#', async (path, body) => {
  expect([400, 422]).toContain(await ask(path, body, { isMember: true }))
})

test.each([
  '/rest/v1/notes',
  '/rest/v1/rpc/none',
  '/batch/v1',
  '/storage/v1/object/list/images',
  '/realtime/v1/api/broadcast',
  '/realtime/v1/api/broadcast/a/events/b',
  '/functions/v1/none',
])('a stranger sends at most 16 KiB to %s', async (path) => {
  const body = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - 8) })
  expect(await ask(path, body(HTTP_LIMITS.anonymousBodyBytes + 1))).toBe(413)
  expect(await ask(path, body(HTTP_LIMITS.anonymousBodyBytes))).not.toBe(413)
})
