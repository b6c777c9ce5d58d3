import { AuthClient } from '@supabase/auth-js'
import { admitLinkSession } from './link-session.ts'
import { SESSION_KEY } from './stored-session.ts'
import { whenConnected } from './supabase-connection.ts'

/**
 * The account client. In its own file so that the login screen loads without the data client. Uses the
 * implicit flow on purpose: a mailed link must also work in a different browser.
 */
export let auth: InstanceType<typeof AuthClient>

whenConnected(({ supabaseUrl, supabaseKey }) => {
  admitLinkSession(location)
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
