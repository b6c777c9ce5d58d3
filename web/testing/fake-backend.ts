import { expect, vi } from 'vitest'
import { isSignedInAs } from '#data/session/session.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'

type StubbedResponse = { status?: number; body?: unknown }
export type Call = { method: string; path: string; body: Record<string, unknown> }

/** Replaces the network: responds by "METHOD /path", records requests, and fails loudly on unexpected ones. */
export function fakeBackend(
  responses: Record<string, StubbedResponse | (() => StubbedResponse | Promise<StubbedResponse>)>,
) {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const call = {
      method: init?.method ?? 'GET',
      path: url.pathname + url.search,
      body: bodyOf(init),
    }
    calls.push(call)
    const key = Object.keys(responses).find((each) =>
      `${call.method} ${call.path}`.startsWith(each),
    )
    const found = key === undefined ? undefined : responses[key]
    if (!found) throw new TypeError(`Nothing responds to ${call.method} ${call.path}`)
    const { status = 200, body = {} } = typeof found === 'function' ? await found() : found
    return new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
    })
  })
  return calls
}

function bodyOf(init?: RequestInit) {
  return typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}
}

/** A session in the auth service's format. */
export function aSession(user: Record<string, unknown> = {}) {
  const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '')
  const exp = Math.floor(Date.now() / 1000) + 3600
  return {
    access_token: `${part({ alg: 'none' })}.${part({ sub: 'maya', exp })}.c2lnbg`,
    refresh_token: 'refresh',
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: exp,
    user: { id: 'maya', email: 'maya@example.com', user_metadata: {}, app_metadata: {}, ...user },
  }
}

/** Signs Maya in, and waits until the app knows. */
export async function signedIn(user: Record<string, unknown> = {}) {
  localStorage.setItem('member-session', JSON.stringify(aSession(user)))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  await vi.waitFor(() => expect(isSignedInAs('maya')).toBe(true))
}
