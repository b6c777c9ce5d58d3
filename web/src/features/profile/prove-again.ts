// For members with two-step verification. A new session would owe the code, so the password is verified aside.
import { AuthClient } from '@supabase/auth-js'
import { verifiedFactors } from '#lib/supabase/second-factor.ts'
import { codeOf, showFactor } from '#lib/supabase/show-factor.ts'
import { connectedConfig } from '#lib/supabase/supabase-connection.ts'
import { auth } from '#lib/supabase/supabase.ts'

type Proof = { email: string; password: string }

/** Verifies the password and keeps this session. */
export async function checkPassword(typed: Proof) {
  const aside = anotherClient()
  const { error } = await aside.signInWithPassword(typed)
  if (!error) await aside.signOut({ scope: 'local' })
  return { error }
}

/** Verifies password and code in a new session, which takes this one's place. */
export async function signInAgainWithCode({ code, ...typed }: Proof & { code: string }) {
  const aside = anotherClient()
  const { data, error } = await aside.signInWithPassword(typed)
  if (error) return { error }
  const shown = await showFactor(verifiedFactors(data.session), codeOf(code), aside)
  const raised = await aside.getSession()
  if (shown.error || !raised.data.session) {
    await aside.signOut({ scope: 'local' })
    return { error: shown.error ?? raised.error }
  }
  const replaced = await (await auth()).setSession(raised.data.session)
  return { error: replaced.error }
}

let asides = 0

/** A client whose session is forgotten with it. */
function anotherClient() {
  const { supabaseUrl, supabaseKey } = connectedConfig()
  return new AuthClient({
    url: `${supabaseUrl}/auth/v1`,
    headers: { apikey: supabaseKey, Authorization: `Bearer ${supabaseKey}` },
    // One of its own: clients with the same key tell each other of their sessions.
    storageKey: `proof-${++asides}`,
    autoRefreshToken: false,
    persistSession: false,
    detectSessionInUrl: false,
  })
}
