import { PostgrestClient } from '@supabase/postgrest-js'
import type { RealtimeClient } from '@supabase/realtime-js'
import type { StorageClient } from '@supabase/storage-js'
import { auth } from '#data/session/auth.ts'
import { checkSession } from '#data/session/session.ts'
import { freshSession } from '#data/session/stored-session.ts'
import { isUnreachable, ServerRefusal } from '#lib/server/notify-error.ts'
import { learnReach } from '#lib/server/server-reach.ts'
import { connectedConfig, whenConnected } from '#lib/server/supabase-connection.ts'
import { fetchTogether } from './batch-requests.ts'
import type { Database } from './database.ts'
import { reconnectAfterMs } from './reconnect-after.ts'

export { auth }

/** The Data API, with the member's own rights. */
export let database: PostgrestClient<Database>

let storageClient: Promise<StorageClient> | undefined
let realtimeClient: Promise<RealtimeClient> | undefined

whenConnected(({ supabaseUrl }) => {
  database = new PostgrestClient<Database>(`${supabaseUrl}/rest/v1`, {
    fetch: fetchAsMember,
    // The query cache retries; here it would keep a screen waiting for seconds offline.
    retry: false,
  })
  storageClient = undefined
  realtimeClient = undefined
})

/** Storage; the client is loaded on first use. */
export function storage(): Promise<StorageClient> {
  storageClient ??= import('@supabase/storage-js').then(
    ({ StorageClient }) =>
      new StorageClient(`${connectedConfig().supabaseUrl}/storage/v1`, {}, fetchAsMember),
    (failure: unknown) => {
      storageClient = undefined
      throw failure
    },
  )
  return storageClient
}

/**
 * Realtime; the client is loaded on first use and always sends the current access token. Callers ask for it only once, so
 * a load that fails is retried until it succeeds.
 */
export function realtime(): Promise<RealtimeClient> {
  realtimeClient ??= connectLive()
  return realtimeClient
}

async function connectLive(): Promise<RealtimeClient> {
  for (let tries = 1; ; tries++) {
    try {
      const { connectRealtime } = await import('./connect-realtime.ts')
      return await connectRealtime()
    } catch (failure) {
      console.warn('Live updates are not available yet', failure)
      await new Promise((resolve) => setTimeout(resolve, reconnectAfterMs(tries)))
    }
  }
}

/** Calls an Edge Function as the member. @throws Error with the function's own message */
export async function callEdgeFunction<Result>(name: string, values: object): Promise<Result> {
  const response = await fetchAsMember(`${connectedConfig().supabaseUrl}/functions/v1/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(values),
  })
  const result = (await response.json().catch(() => ({}))) as Result & { message?: string }
  if (!response.ok) throw new ServerRefusal(result.message ?? response.statusText, response.status)
  return result
}

/**
 * Sends a request with the member's own rights. One that was refused is sent again with a newer token, if there is one by then, as after
 * a code in another tab; and again after a proof of who the member is, if it takes one.
 */
export async function fetchAsMember(
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  const token = await ownToken()
  const response = await sendAs(token, input, init)
  if (!token || !REFUSALS.has(response.status)) return response
  const newer = await ownToken()
  const second = newer && newer !== token ? await sendAs(newer, input, init) : response
  if (second.status !== 428 || !(await isProven())) return second
  return sendAs(await ownToken(), input, init)
}

const REFUSALS = new Set([401, 403, 428])

async function sendAs(
  token: string | undefined,
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  const { supabaseKey, takesBatches } = connectedConfig()
  const headers = new Headers(init?.headers)
  if (!headers.has('apikey')) headers.set('apikey', supabaseKey)
  headers.set('Authorization', `Bearer ${token ?? supabaseKey}`)
  const own = { ...init, headers }
  const response = await learnReach(
    takesBatches && !(input instanceof Request)
      ? fetchTogether(new URL(input), own)
      : fetch(input, own),
  )
  // Before the screen learns of the refusal: it must not lead elsewhere while the app is about to leave for the login.
  if (response.status === 401 && token) await checkSession().catch(console.warn)
  if (response.status === 403 && token)
    await refreshIfFactorIsRequired(response.clone()).catch(console.warn)
  return response
}

/**
 * A fresh token is used as it is stored, so that the first requests need not wait for the account client.
 * @throws the failure to renew it for want of a connection: without a token the server would refuse what the member may have
 */
async function ownToken(): Promise<string | undefined> {
  const fresh = freshSession()
  if (fresh) return fresh.access_token
  const { data, error } = await (await auth()).getSession()
  if (isUnreachable(error)) throw error!
  return data.session?.access_token
}

async function refreshIfFactorIsRequired(response: Response) {
  const { code } = (await response.json().catch(() => ({}))) as { code?: string }
  if (code !== 'PT403') return
  const { refreshForFactor } = await import('#data/session/show-factor.ts')
  await refreshForFactor()
}

async function isProven(): Promise<boolean> {
  const { askForProof } = await import('#data/session/proof.ts')
  return askForProof()
}
