import { RealtimeClient } from '@supabase/realtime-js'
import { auth } from '#data/session/auth.ts'
import { connectedConfig } from '#lib/server/supabase-connection.ts'
import { reconnectAfterMs } from './reconnect-after.ts'

/** Opens the live connection as the member, and passes on every refreshed token. */
export async function connectRealtime() {
  const { supabaseUrl, supabaseKey } = connectedConfig()
  const account = await auth()
  const client = new RealtimeClient(`${supabaseUrl.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: supabaseKey },
    reconnectAfterMs,
    accessToken: async () => (await account.getSession()).data.session?.access_token ?? supabaseKey,
  })
  account.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT') void client.disconnect()
    else void client.setAuth(session?.access_token)
  })
  // A join before the token is known would be refused, and tried again only after a second.
  await client.setAuth()
  return client
}
