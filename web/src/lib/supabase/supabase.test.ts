import { expect, test, vi } from 'vitest'
import { aSession } from '../../../testing/fake-backend.ts'
import { connectSupabase } from './supabase-connection.ts'
import { database } from './supabase.ts'

const KEY = 'sb_publishable_test'

async function sentHeaders(session?: ReturnType<typeof aSession>) {
  const fetched = vi.fn(async (_input: unknown, _init?: RequestInit) => Response.json([]))
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
