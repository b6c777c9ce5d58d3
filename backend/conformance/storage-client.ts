import { createClient } from '@supabase/supabase-js'
import WebSocket from 'ws'

export type Client = ReturnType<typeof createClient>

/** The official client with a key, and optionally a member's access token. */
export function openClient(url: string, key: string, accessToken?: string): Client {
  return createClient(url, key, {
    realtime: { transport: WebSocket as never },
    ...(accessToken ? { accessToken: () => Promise.resolve(accessToken) } : {}),
  })
}
