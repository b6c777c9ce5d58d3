import { AuthClient } from '@supabase/auth-js'
import { m } from '#lib/messages/messages.js'
import { codeOf, showFactor, verifiedFactors } from '#lib/supabase/second-factor.ts'
import { connectedConfig } from '#lib/supabase/supabase-connection.ts'
import { auth } from '#lib/supabase/supabase.ts'

type Proof = { email: string; password: string }

/** Whether the member's account asks for a code. */
export async function hasSecondFactor(): Promise<boolean> {
  const { data } = await auth.getSession()
  return data.session !== null && verifiedFactors(data.session).length > 0
}

/** Verifies the password in a new session, which takes this one's place. */
export async function signInAgain({ email, password }: Proof) {
  const { error } = await auth.signInWithPassword({ email, password })
  return { error: inWords(error) }
}

/** Verifies the password and keeps this session: a new one would have to show the second factor first. */
export async function checkPassword({ email, password }: Proof) {
  const aside = anotherClient()
  const { error } = await aside.signInWithPassword({ email, password })
  if (!error) await aside.signOut({ scope: 'local' })
  return { error: inWords(error) }
}

/** Verifies password and code in a new session, which takes this one's place. */
export async function signInAgainWithCode({ email, password, code }: Proof & { code: string }) {
  const aside = anotherClient()
  const { data, error } = await aside.signInWithPassword({ email, password })
  if (error) return { error: inWords(error) }
  const shown = await showFactor(verifiedFactors(data.session), codeOf(code), aside)
  if (shown.error) {
    await aside.signOut({ scope: 'local' })
    return { error: shown.error }
  }
  const raised = await aside.getSession()
  if (!raised.data.session) return { error: raised.error ?? { message: m.ui_unexpected_error() } }
  const replaced = await auth.setSession(raised.data.session)
  return { error: replaced.error }
}

/** A client whose session is forgotten with it. */
function anotherClient() {
  const { supabaseUrl, supabaseKey } = connectedConfig()
  return new AuthClient({
    url: `${supabaseUrl}/auth/v1`,
    headers: { apikey: supabaseKey, Authorization: `Bearer ${supabaseKey}` },
    storageKey: 'proof',
    autoRefreshToken: false,
    persistSession: false,
    detectSessionInUrl: false,
  })
}

function inWords(error: { code?: string | undefined; message: string } | null) {
  return error?.code === 'invalid_credentials' ? { message: m.profile_wrong_password() } : error
}
