import { beforeEach, expect, test, vi } from 'vitest'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { aSession } from '../../testing/fake-backend.ts'
import { database } from './supabase.ts'

type Part = { method: string; path: string; headers: Record<string, string>; body?: string }

const response = (body: unknown, status = 200) => ({
  status,
  headers: {},
  body: JSON.stringify(body),
})

/** What was fetched; a batch gets the response of `respondTo`, anything else an empty list. */
function server(respondTo: (parts: Part[]) => Response | Promise<Response>) {
  const fetched: { path: string; parts: Part[]; headers: Headers }[] = []
  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit) => {
    const { pathname: path } = new URL(input)
    const parts = path === '/batch/v1' ? (JSON.parse(init.body as string) as Part[]) : []
    fetched.push({ path, parts, headers: new Headers(init.headers) })
    return path === '/batch/v1' ? respondTo(parts) : Response.json([])
  })
  return fetched
}

beforeEach(() => {
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({
    supabaseUrl: 'http://backend.test',
    supabaseKey: 'sb_publishable_test',
    takesBatches: true,
  })
})

test('what is asked within one turn goes in one request, and each gets its own response', async () => {
  const fetched = server(() =>
    Response.json([
      response([{ id: 1 }]),
      response({ code: '42501', message: 'No' }, 403),
      response(7),
    ]),
  )
  const [chats, users, count] = await Promise.all([
    database.from('chats').select('id'),
    database.from('users').select('id'),
    database.rpc('unread_notification_count'),
  ])
  expect(fetched.map(({ path }) => path)).toEqual(['/batch/v1'])
  expect(fetched[0]?.headers.get('authorization')).toBe(`Bearer ${aSession().access_token}`)
  expect(fetched[0]?.parts.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /rest/v1/chats?select=id',
    'GET /rest/v1/users?select=id',
    'POST /rest/v1/rpc/unread_notification_count',
  ])
  expect(chats.data).toEqual([{ id: 1 }])
  expect(users.error?.message).toBe('No')
  expect(count.data).toBe(7)
})

test('a single question, and a row that is written, go as they always did', async () => {
  const fetched = server(() => Response.json([]))
  await database.from('chats').select('id')
  await Promise.all([
    database.from('goals').select('id'),
    database.from('goal_activity').insert({} as never),
  ])
  expect(fetched.map(({ path }) => path).toSorted()).toEqual([
    '/rest/v1/chats',
    '/rest/v1/goal_activity',
    '/rest/v1/goals',
  ])
})

test('more than the server takes goes in several', async () => {
  const fetched = server((parts) => Response.json(parts.map(() => response([]))))
  await Promise.all(Array.from({ length: 45 }, () => database.from('chats').select('id')))
  expect(fetched.map(({ parts }) => parts.length)).toEqual([20, 20, 5])
})

test('a refusal of the whole, or no connection, is the outcome for everybody', async () => {
  server(() => Response.json({ code: 'PGRST301', message: 'Bad token' }, { status: 400 }))
  const ask = () =>
    Promise.all([database.from('chats').select('id'), database.from('users').select('id')])
  for (const { error } of await ask()) expect(error?.message).toBe('Bad token')
  server(() => Promise.reject(new TypeError('Failed to fetch')))
  for (const { error } of await ask()) expect(error?.message).toContain('Failed to fetch')
})

test('what nobody waits for any more is not asked', async () => {
  const fetched = server((parts) => Response.json(parts.map(() => response([]))))
  const leaving = new AbortController()
  const left = database.from('chats').select('id').abortSignal(leaving.signal)
  const results = Promise.all([left, database.from('users').select('id')])
  leaving.abort()
  const [first, second] = await results
  expect(first.error).not.toBeNull()
  expect(second.data).toEqual([])
  expect(fetched.map(({ path }) => path)).toEqual(['/rest/v1/users'])
})

test('a hosted project is asked one by one', async () => {
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  const fetched = server(() => Response.json([]))
  await Promise.all([database.from('chats').select('id'), database.from('users').select('id')])
  expect(fetched.map(({ path }) => path).toSorted()).toEqual(['/rest/v1/chats', '/rest/v1/users'])
})
