import { RealtimeClient } from '@supabase/realtime-js'
import { auth } from './auth.ts'
import { connectedConfig } from './supabase-connection.ts'

/** Opens the live connection as the member, and passes on every refreshed token. */
export function connectRealtime() {
  const { supabaseUrl, supabaseKey } = connectedConfig()
  const client = new RealtimeClient(`${supabaseUrl.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: supabaseKey },
    accessToken: async () => (await auth.getSession()).data.session?.access_token ?? supabaseKey,
  })
  auth.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT') void client.disconnect()
    else void client.setAuth(session?.access_token)
  })
  return client
}
