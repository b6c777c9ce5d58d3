import { PostgrestClient } from '@supabase/postgrest-js'
import type { RealtimeClient } from '@supabase/realtime-js'
import type { StorageClient } from '@supabase/storage-js'
import { auth } from './auth.ts'
import { ServerRefusal } from './server-refusal.ts'
import { connectedConfig, whenConnected } from './supabase-connection.ts'

export { auth }

/** Tables and functions, read and changed with the member's own rights. */
export let database: PostgrestClient

let storageClient: Promise<StorageClient> | undefined
let realtimeClient: Promise<RealtimeClient> | undefined

whenConnected(({ supabaseUrl }) => {
  database = new PostgrestClient(`${supabaseUrl}/rest/v1`, { fetch: fetchAsMember })
  storageClient = undefined
  realtimeClient = undefined
})

/** Buckets and files; the client is loaded when first asked for. */
export function storage(): Promise<StorageClient> {
  storageClient ??= import('@supabase/storage-js').then(
    ({ StorageClient }) =>
      new StorageClient(`${connectedConfig().supabaseUrl}/storage/v1`, {}, fetchAsMember),
  )
  return storageClient
}

/** Live channels; the client is loaded when first asked for, and always carries the member's current token. */
export function realtime(): Promise<RealtimeClient> {
  realtimeClient ??= import('./connect-realtime.ts').then(({ connectRealtime }) =>
    connectRealtime(),
  )
  return realtimeClient
}

/** Calls an Edge Function as the member; a refusal is thrown, in the function's own words. */
export async function callEdgeFunction<Answer>(name: string, values: object): Promise<Answer> {
  const reply = await fetchAsMember(`${connectedConfig().supabaseUrl}/functions/v1/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(values),
  })
  const answer = (await reply.json().catch(() => ({}))) as Answer & { message?: string }
  if (!reply.ok) throw new ServerRefusal(answer.message ?? reply.statusText, reply.status)
  return answer
}

async function fetchAsMember(input: RequestInfo | URL, init?: RequestInit) {
  const { supabaseKey } = connectedConfig()
  const { data } = await auth.getSession()
  const headers = new Headers(init?.headers)
  if (!headers.has('apikey')) headers.set('apikey', supabaseKey)
  headers.set('Authorization', `Bearer ${data.session?.access_token ?? supabaseKey}`)
  return fetch(input, { ...init, headers })
}
