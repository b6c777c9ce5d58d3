import { AuthClient } from '@supabase/auth-js'
import { connectedConfig } from '#lib/server/supabase-connection.ts'
import { SESSION_KEY } from './stored-session.ts'

/** Uses the implicit flow on purpose: a mailed link must also work in a different browser. */
export function connectAuth() {
  const { supabaseUrl, supabaseKey } = connectedConfig()
  return new AuthClient({
    url: `${supabaseUrl}/auth/v1`,
    headers: { apikey: supabaseKey, Authorization: `Bearer ${supabaseKey}` },
    storageKey: SESSION_KEY,
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: true,
    flowType: 'implicit',
  })
}
