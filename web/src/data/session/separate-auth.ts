import { AuthClient } from '@supabase/auth-js'
import { connectedConfig } from '#lib/server/supabase-connection.ts'

let clients = 0

/** An account client beside the app's own, whose session is forgotten with it. */
export function separateAuth() {
  const { supabaseUrl, supabaseKey } = connectedConfig()
  return new AuthClient({
    url: `${supabaseUrl}/auth/v1`,
    headers: { apikey: supabaseKey, Authorization: `Bearer ${supabaseKey}` },
    // Clients with the same key tell each other of their sessions.
    storageKey: `separate-${++clients}`,
    autoRefreshToken: false,
    persistSession: false,
    detectSessionInUrl: false,
  })
}
