// Limits of what a Data API request says: its body, its names and its values.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS as HTTP_LIMITS } from '#http/limits.ts'
import { LIMITS } from '#rest/limits.ts'
import type { RestBackend } from './rest-backend.ts'
import { post, startWithCallers } from './rest-callers.ts'

const SQL = `
create table public.things (
  key uuid, number int, moment timestamptz, amount numeric, keys uuid[], mood public.mood, words text, facts jsonb
);
create function public.is_key(key uuid) returns boolean language sql immutable as $$ select true $$;
create function public.is_text(words text) returns boolean language sql immutable as $$ select true $$;
create function public.are_keys(keys uuid[]) returns boolean language sql immutable as $$ select true $$;
create function public.is_amount(amount int) returns boolean language sql immutable as $$ select true $$;
`

let backend: RestBackend
let { send, asMember, asService } = {} as Awaited<ReturnType<typeof startWithCallers>>
beforeAll(async () => {
  ;({ backend, send, asMember, asService } = await startWithCallers(SQL))
})
afterAll(() => backend.close())

test('the body limit depends on the caller and the kind of request', async () => {
  const words = (bytes: number) => post({ words: 'x'.repeat(bytes - 12) })
  const status = async (path: string, init: RequestInit) => (await backend.send(path, init)).status
  const { callBodyBytes, bodyBytes } = LIMITS
  expect(await status('/things', words(HTTP_LIMITS.anonymousBodyBytes))).toBe(201)
  expect(await send('/things', words(HTTP_LIMITS.anonymousBodyBytes + 1))).toEqual({
    status: 413,
    body: {
      code: 'payload_too_large',
      message: 'Payload too large',
      details: 'This request can have a body of at most 16 KiB.',
      hint: null,
    },
  })
  expect(await status('/rpc/is_text', words(HTTP_LIMITS.anonymousBodyBytes + 1))).toBe(413)
  expect(await status('/rpc/is_text', asMember(words(callBodyBytes)))).toBe(200)
  expect(await status('/rpc/is_text', asMember(words(callBodyBytes + 1)))).toBe(413)
  expect(await status('/things', asMember(words(bodyBytes)))).toBe(201)
  expect(await status('/things', asMember(words(bodyBytes + 1)))).toBe(413)
  expect(await status('/things', asService(words(bodyBytes + 1)))).toBe(201)
})

test('thousands of names are refused before they are parsed', async () => {
  const names = JSON.stringify(
    Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`n${index}`, 1])),
  )
  for (const path of ['/rpc/is_text', '/things'])
    expect(await send(path, asMember(post(names)))).toMatchObject({
      status: 400,
      body: { message: 'An object of JSON holds at most 1000 names' },
    })
})

test('the number of rows and keys in a body is limited', async () => {
  const rows = Array.from({ length: LIMITS.bodyRows + 1 }, () => ({ number: 1 }))
  expect(await send('/things', asMember(post(rows)))).toMatchObject({
    status: 400,
    body: { message: 'Too many rows in the body' },
  })
  const names = Object.fromEntries(
    Array.from({ length: LIMITS.bodyKeys + 1 }, (_, index) => [`n${index}`, 1]),
  )
  for (const path of ['/rpc/is_text', '/rpc/no_such_function', '/things'])
    expect(await send(path, post(names))).toMatchObject({
      status: 400,
      body: { message: 'Too many names in the body' },
    })
  const form = new URLSearchParams(
    Object.keys(names).map((name) => [name, '1'] as [string, string]),
  )
  expect(await send('/rpc/is_text', { method: 'POST', body: form })).toMatchObject({ status: 400 })
})

test('unknown names are truncated in error messages', async () => {
  const name = 'n'.repeat(10_000)
  const responses = [
    await send('/rpc/is_text', post({ [name]: 1 })),
    await send('/things', post({ [name]: 1 })),
    await send(`/${name}`),
    await send(`/films?select=${name}`),
    await send(`/films?select=${name}(id)`),
    await send(`/films?id=${name}`),
    await send(`/rpc/${name}`),
  ]
  for (const { status, body } of responses) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(body).length).toBeLessThan(3_500)
  }
})

const LONG = 'a'.repeat(5_000)
test.each([
  ['/rpc/is_key', post({ key: LONG })],
  [`/rpc/is_key?key=${LONG}`, {}],
  ['/rpc/is_key', { method: 'POST', body: new URLSearchParams({ key: LONG }) }],
  ['/rpc/are_keys', post({ keys: [LONG] })],
  ['/rpc/are_keys', post({ keys: LONG })],
  ['/rpc/is_amount', post(`{"amount":1${'0'.repeat(5_000)}}`)],
  ['/rpc/is_amount', post(`{"amount":0.${'0'.repeat(5_000)}1}`)],
  ['/things', post({ key: LONG })],
  ['/things', post([{ key: null }, { key: LONG }])],
  ['/things', post({ moment: LONG })],
  ['/things', post({ mood: LONG })],
  ['/things', post({ keys: [[LONG]] })],
  [`/things?key=eq.${LONG}`, {}],
  [`/things?key=in.(${LONG})`, {}],
  [`/things?or=(key.eq.${LONG},mood.eq.happy)`, {}],
  [`/things?number=gt.${LONG}`, { method: 'DELETE' }],
])('a value too long for its type never reaches Postgres: %#', async (path, init) => {
  const { status, body } = await send(path, init)
  // Postgres would echo it in full, in its error and in its log.
  expect([status, JSON.stringify(body).length < 2_000]).toEqual([400, true])
})

test('long text and long JSON are accepted', async () => {
  const facts = { list: [LONG, '"\\"', 1.5] }
  expect((await backend.send('/things', post({ words: LONG, facts, amount: 1.5 }))).status).toBe(
    201,
  )
})
