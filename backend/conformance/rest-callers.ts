import { createClient } from '@supabase/supabase-js'
import WebSocket from 'ws'
import { startRestBackend } from './rest-backend.ts'

type Refusal = { code: string; message: string; details: string | null }

/** A backend with `sql`, and requests to it as each kind of caller. */
export async function startWithCallers(sql: string) {
  const backend = await startRestBackend({ sql })
  const account = { email: 'member@example.com', password: 'a long enough password' }
  const created = await backend.service.auth.admin.createUser({ ...account, email_confirm: true })
  if (created.error) throw created.error
  const { auth } = createClient(backend.url, backend.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  })
  const { data } = await auth.signInWithPassword(account)
  const memberToken = data.session?.access_token ?? ''

  const withHeader = (init: RequestInit, name: string, value: string): RequestInit => ({
    ...init,
    headers: { ...(init.headers as Record<string, string>), [name]: value },
  })
  return {
    backend,
    async send(path: string, init: RequestInit = {}) {
      const response = await backend.send(path, init)
      return { status: response.status, body: (await response.json()) as Refusal }
    },
    asMember: (init: RequestInit = {}) =>
      withHeader(init, 'authorization', `Bearer ${memberToken}`),
    asService: (init: RequestInit = {}) => withHeader(init, 'apikey', backend.secretKey),
  }
}

/** A POST of JSON; text is sent as it is. */
export const post = (body: unknown): RequestInit => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})
