import { expect, test, vi } from 'vitest'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { aSession } from '../../testing/fake-backend.ts'
import { database, storage } from './supabase.ts'

const KEY = 'sb_publishable_test'

async function sentHeaders(session?: ReturnType<typeof aSession>, renewed?: object) {
  const fetched = vi.fn(async (input: string | URL, _init?: RequestInit) =>
    Response.json(String(input).includes('/auth/v1/token') ? renewed : []),
  )
  vi.stubGlobal('fetch', fetched)
  if (session) localStorage.setItem('member-session', JSON.stringify(session))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: KEY })
  await database.from('chats').select('id')
  return new Headers(fetched.mock.calls.at(-1)?.[1]?.headers)
}

test('requests carry the public key, and the member’s token once there is one', async () => {
  const session = aSession()
  const headers = await sentHeaders(session)
  expect(headers.get('apikey')).toBe(KEY)
  expect(headers.get('authorization')).toBe(`Bearer ${session.access_token}`)
})

test('without a session the public key stands in for the token', async () => {
  expect((await sentHeaders()).get('authorization')).toBe(`Bearer ${KEY}`)
})

test('a token about to expire is never sent: the request waits for the next one', async () => {
  const old = { ...aSession(), expires_at: Math.floor(Date.now() / 1000) + 60 }
  const renewed = { ...aSession(), access_token: aSession().access_token + 'new' }
  const headers = await sentHeaders(old, renewed)
  expect(headers.get('authorization')).toBe(`Bearer ${renewed.access_token}`)
})

test('without a connection to renew the token with, a request is not sent as a stranger', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    const asked: string[] = []
    vi.stubGlobal('fetch', (input: string | URL) => {
      asked.push(String(input))
      return Promise.reject(new TypeError('Failed to fetch'))
    })
    const expired = { ...aSession(), expires_at: Math.floor(Date.now() / 1000) - 60 }
    localStorage.setItem('member-session', JSON.stringify(expired))
    connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: KEY })
    const reading = database.from('chats').select('id')
    const failed = expect(reading.throwOnError()).rejects.toThrow('Failed to fetch')
    await vi.advanceTimersByTimeAsync(60_000)
    await failed
    expect(asked).toContainEqual(expect.stringContaining('/auth/v1/token'))
    expect(asked).not.toContainEqual(expect.stringContaining('/rest/v1/'))
  } finally {
    vi.useRealTimers()
  }
})

test('a storage client that failed to load is loaded again on its next use', async () => {
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: KEY })
  vi.doMock('@supabase/storage-js', () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  await expect(storage()).rejects.toThrow()
  vi.doUnmock('@supabase/storage-js')
  expect((await storage()).from('chat-images')).toBeDefined()
})

test('a request that is refused with a token that was replaced meanwhile is sent once more with the newer one', async () => {
  const [old, newer] = [
    aSession(),
    { ...aSession(), access_token: `${aSession().access_token}new` },
  ]
  const store = (session: object) => localStorage.setItem('member-session', JSON.stringify(session))
  store(old)
  const sent: (string | null)[] = []
  vi.stubGlobal('fetch', async (_input: string | URL, init?: RequestInit) => {
    sent.push(new Headers(init?.headers).get('authorization'))
    // As a code in another tab does.
    store(newer)
    const isOld = sent.length === 1
    return Response.json(isOld ? { code: '42501' } : [], { status: isOld ? 403 : 200 })
  })
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: KEY })
  expect((await database.from('chats').select('id')).error).toBeNull()
  expect(sent).toEqual([`Bearer ${old.access_token}`, `Bearer ${newer.access_token}`])
})

test('a refusal stands when there is no newer token', async () => {
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  const fetched = vi.fn(async () => Response.json({ code: '42501' }, { status: 403 }))
  vi.stubGlobal('fetch', fetched)
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: KEY })
  expect((await database.from('chats').select('id')).status).toBe(403)
  expect(fetched).toHaveBeenCalledTimes(1)
})
