import { runInThisContext } from 'node:vm'
import { beforeEach, expect, test, vi } from 'vitest'
import { EARLY_BATCH_SCRIPT } from '../../early-batch-script.ts'
import { aSession } from '../../testing/fake-backend.ts'
import type { EarlyBatch } from './early-batch.ts'

const SESSION = aSession()
const BATCH = {
  url: `${location.origin}/batch/v1`,
  headers: { apikey: 'sb_publishable_test', authorization: `Bearer ${SESSION.access_token}` },
  body: '[{"path":"/rest/v1/goals"}]',
}
const PARTS = [aPart('GET', 'goals'), aPart('POST', 'rpc/house_rules')]

function aPart(method: string, path: string) {
  return { url: new URL(`/rest/v1/${path}`, location.origin), init: { method } }
}

const abort = vi.fn()

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('member-session', JSON.stringify(SESSION))
  window.earlyBatch = undefined
  abort.mockClear()
})

/** The module as it is when a page is opened at a path. */
async function openPage(path: string, early?: Partial<EarlyBatch>) {
  vi.resetModules()
  history.replaceState(null, '', path)
  const response = Promise.resolve(Response.json([1]))
  if (early) window.earlyBatch = { ...BATCH, sentAt: Date.now(), response, abort, ...early }
  const { earlyResponse } = await import('./early-batch.ts')
  return (batch = BATCH, parts = PARTS) => earlyResponse(batch, parts)
}

/** Opens a page that sends a batch. */
const open = async (path: string, batch = BATCH) => (await openPage(path))(batch)

const remembered = () =>
  JSON.parse(localStorage.getItem('early-batches') ?? '{}') as Record<string, unknown>

test('the first batch of a page gets the response that the page asked for early, and no other batch does', async () => {
  const earlyResponse = await openPage('/home', {})
  expect(await (await earlyResponse())?.json()).toEqual([1])
  expect(await earlyResponse()).toBeNull()
  expect(abort).not.toHaveBeenCalled()
})

test('an early batch that did not reach the server is sent again', async () => {
  const earlyResponse = await openPage('/home', { response: Promise.resolve(null) })
  expect(await earlyResponse()).toBeNull()
})

test.each<[what: string, early: Partial<EarlyBatch>]>([
  ['asked for something else', { body: '[]' }],
  ['had another token', { headers: { ...BATCH.headers, authorization: 'Bearer old' } }],
  ['asked another server', { url: 'http://other.test/batch/v1' }],
  ['was sent long ago', { sentAt: Date.now() - 20_001 }],
  ['was sent before the clock was set back', { sentAt: Date.now() + 60_000 }],
])('an early batch is aborted if it %s', async (_, early) => {
  const earlyResponse = await openPage('/home', early)
  expect(await earlyResponse()).toBeNull()
  expect(abort).toHaveBeenCalledOnce()
})

test('the ten screens opened last are remembered, without a token', async () => {
  for (const path of ['/home', ...Array.from({ length: 10 }, (_, i) => `/chat/${i}`), '/chat/0'])
    await open(path)
  expect(Object.keys(remembered())).toHaveLength(10)
  expect(remembered()['/home']).toBeUndefined()
  expect(remembered()['/chat/0']).toEqual({ apikey: BATCH.headers.apikey, body: BATCH.body })
})

test('what writes is not remembered: it would be done again', async () => {
  const saving = [...PARTS, aPart('POST', 'rpc/save_goal')]
  expect(await (await openPage('/home'))(BATCH, saving)).toBeNull()
  expect(remembered()).toEqual({})
})

test('nothing is remembered of who has logged out, of another server, or at any length', async () => {
  await open('/home', { ...BATCH, body: 'x'.repeat(20_001) })
  await open('/home', { ...BATCH, url: 'http://other.test/batch/v1' })
  localStorage.removeItem('member-session')
  await open('/home')
  expect(remembered()).toEqual({})
})

test('with a full device screens open as ever', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError')
  })
  expect(await (await openPage('/chat'))()).toBeNull()
})

test('a server that takes no batches is not asked for one', async () => {
  await open('/home')
  expect(Object.keys(remembered())).toEqual(['/home'])
  const { connectSupabase } = await import('#lib/server/supabase-connection.ts')
  connectSupabase({ supabaseUrl: location.origin, supabaseKey: 'key' })
  expect(remembered()).toEqual({})
})

/** What the page asks for when it is opened at a path, before any code is there. */
function askedAt(path: string) {
  const asked: [url: string, init: RequestInit][] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    asked.push([url, init])
    return Promise.resolve(Response.json([2]))
  })
  history.replaceState(null, '', path)
  runInThisContext(EARLY_BATCH_SCRIPT)
  return asked
}

test('the page sends what its screen asked for last time, and the app’s first batch has the response', async () => {
  await open('/home')
  const asked = askedAt('/home')
  expect(asked).toEqual([
    [BATCH.url, expect.objectContaining({ method: 'POST', body: BATCH.body })],
  ])
  expect(new Headers(asked[0]?.[1].headers).get('authorization')).toBe(BATCH.headers.authorization)
  const { earlyBatch } = window
  expect(await (await (await openPage('/home', earlyBatch))())?.json()).toEqual([2])
})

test('the front door leads a member to Home, so that is what is asked for', async () => {
  await open('/home')
  expect(askedAt('/')).toHaveLength(1)
  expect(askedAt('/chat')).toEqual([])
})

test.each([
  ['no session', null],
  ['a session whose token is about to expire', { ...SESSION, expires_at: Date.now() / 1000 + 89 }],
])('with %s nothing is asked for early', async (_, session) => {
  await open('/home')
  localStorage.setItem('member-session', JSON.stringify(session))
  expect(askedAt('/home')).toEqual([])
})
