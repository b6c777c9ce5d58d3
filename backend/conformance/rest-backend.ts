// The setup of every Data API test: a backend over a schema with every kind of relationship.
import { readFile } from 'node:fs/promises'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import WebSocket from 'ws'
import {
  startTestBackend,
  type TestBackend,
  type TestBackendOptions,
} from '../testing/start-test-backend.ts'

export type RestBackend = TestBackend & {
  /** The official client, as an anonymous caller. */
  db: SupabaseClient
  /** The official client with the secret key. */
  service: SupabaseClient
  /** Sends a request without the client; `path` is relative to /rest/v1. */
  send(path: string, init?: RequestInit): Promise<Response>
}

export async function startRestBackend(options: TestBackendOptions = {}): Promise<RestBackend> {
  const schema = await readFile(new URL('./rest-schema.sql', import.meta.url), 'utf8')
  const backend = await startTestBackend({ ...options, sql: schema + (options.sql ?? '') })
  const client = (key: string) =>
    createClient(backend.url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    })
  return {
    ...backend,
    db: client(backend.publishableKey),
    service: client(backend.secretKey),
    send: (path, init = {}) =>
      fetch(`${backend.url}/rest/v1${path}`, {
        ...init,
        headers: { apikey: backend.publishableKey, ...(init.headers as Record<string, string>) },
      }),
  }
}
