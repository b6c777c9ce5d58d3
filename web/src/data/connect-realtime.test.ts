import { expect, test, vi } from 'vitest'
import { SESSION_KEY } from '#data/session/stored-session.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { aSession, fakeBackend } from '../../testing/fake-backend.ts'
import { connectRealtime } from './connect-realtime.ts'

test('the first join carries the member’s token', async () => {
  fakeBackend({})
  const session = aSession()
  localStorage.setItem(SESSION_KEY, JSON.stringify(session))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  const sent = openSockets()
  const client = await connectRealtime()
  client.channel('team', { config: { private: true } }).subscribe()
  await vi.waitFor(() => expect(sent.join()).toContain('phx_join'))
  expect(sent.join()).toContain(session.access_token)
  await client.disconnect()
})

test('after a crash of the server phones connect again at moments of their own, no later than before', async () => {
  fakeBackend({})
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  openSockets()
  const client = await connectRealtime()
  const waits = (tries: number) => Array.from({ length: 100 }, () => client.reconnectAfterMs(tries))
  for (const [tries, longest] of [1_000, 2_000, 5_000, 10_000, 10_000].entries()) {
    const all = waits(tries + 1)
    expect(Math.min(...all)).toBeGreaterThanOrEqual(longest / 2)
    expect(Math.max(...all)).toBeLessThanOrEqual(longest)
    expect(Math.max(...all) - Math.min(...all)).toBeGreaterThan(longest / 4)
  }
})

/** Connections that open at once; returns what is sent over them. */
function openSockets(): string[] {
  const sent: string[] = []
  class OpenSocket {
    readyState = 0
    onopen?: () => void
    onclose?: () => void
    constructor() {
      queueMicrotask(() => {
        this.readyState = 1
        this.onopen?.()
      })
    }
    send(text: string) {
      sent.push(text)
    }
    close() {
      this.readyState = 3
      this.onclose?.()
    }
  }
  vi.stubGlobal('WebSocket', OpenSocket)
  return sent
}
