import { beforeEach, expect, test, vi } from 'vitest'
import type { EarlyBatch } from './early-batch.ts'

const BATCH = {
  url: 'http://backend.test/batch/v1',
  headers: { apikey: 'sb_publishable_test', authorization: 'Bearer token' },
  body: '[{"path":"/rest/v1/goals"}]',
}

beforeEach(() => {
  localStorage.removeItem('early-batches')
  window.earlyBatch = undefined
})

/** The module as it is when a page is opened at a path. */
async function openPage(path: string, early?: Partial<EarlyBatch>) {
  vi.resetModules()
  history.replaceState(null, '', path)
  if (early)
    window.earlyBatch = { ...BATCH, response: Promise.resolve(Response.json([1])), ...early }
  return import('./early-batch.ts')
}

const remembered = () =>
  JSON.parse(localStorage.getItem('early-batches') ?? '{}') as Record<string, unknown>

test('the first batch of a page gets the response that the page asked for early, and no other batch does', async () => {
  const { earlyResponse } = await openPage('/home', {})
  expect(await (await earlyResponse(BATCH))?.json()).toEqual([1])
  expect(await earlyResponse(BATCH)).toBeNull()
})

test('a refusal of the token is a response, too', async () => {
  const refused = Promise.resolve(Response.json({}, { status: 401 }))
  const { earlyResponse } = await openPage('/home', { response: refused })
  expect((await earlyResponse(BATCH))?.status).toBe(401)
})

test.each<[what: string, early: Partial<EarlyBatch>]>([
  ['asked for something else', { body: '[]' }],
  ['asked with another token', { headers: { ...BATCH.headers, authorization: 'Bearer old' } }],
  ['asked another server', { url: 'http://other.test/batch/v1' }],
  ['did not reach the server', { response: Promise.resolve(null) }],
  ['met a failing server', { response: Promise.resolve(new Response('', { status: 503 })) }],
])('a batch is sent now if the early one %s', async (_, early) => {
  const { earlyResponse } = await openPage('/home', early)
  expect(await earlyResponse(BATCH)).toBeNull()
})

test('what was asked for long before the code was there is asked again', async () => {
  const { earlyResponse } = await openPage('/home', {})
  vi.spyOn(performance, 'now').mockReturnValue(20_001)
  expect(await earlyResponse(BATCH)).toBeNull()
})

test('the ten screens opened last are remembered, without their token', async () => {
  for (const path of ['/home', ...Array.from({ length: 10 }, (_, i) => `/chat/${i}`), '/chat/0'])
    await (await openPage(path)).earlyResponse(BATCH)
  expect(Object.keys(remembered())).toHaveLength(10)
  expect(remembered()['/home']).toBeUndefined()
  expect(remembered()['/chat/0']).toEqual({
    url: BATCH.url,
    apikey: BATCH.headers.apikey,
    body: BATCH.body,
  })
})

test('a long batch is not remembered, and nothing is if the storage is full', async () => {
  await (await openPage('/home')).earlyResponse({ ...BATCH, body: 'x'.repeat(20_001) })
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError')
  })
  const { earlyResponse } = await openPage('/chat')
  expect(await earlyResponse(BATCH)).toBeNull()
  expect(remembered()).toEqual({})
})
