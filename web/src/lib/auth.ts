import { AuthClient } from '@supabase/auth-js'
import { SESSION_KEY } from './stored-session.ts'
import { whenConnected } from './supabase-connection.ts'

/**
 * The account client. It has a file of its own so that the login screen loads without the data client.
 * The implicit flow is on purpose: a mailed link must also work in another browser than the one that asked for it.
 */
export let auth: InstanceType<typeof AuthClient>

whenConnected(({ supabaseUrl, supabaseKey }) => {
  auth = new AuthClient({
    url: `${supabaseUrl}/auth/v1`,
    headers: { apikey: supabaseKey, Authorization: `Bearer ${supabaseKey}` },
    storageKey: SESSION_KEY,
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: true,
    flowType: 'implicit',
  })
})
