// For members with two-step verification. A new session would owe the code, so the password is verified aside.
import { verifiedFactors } from '#data/session/second-factor.ts'
import { separateAuth } from '#data/session/separate-auth.ts'
import { codeOf, showFactor } from '#data/session/show-factor.ts'
import { auth } from '#data/supabase.ts'

type Proof = { email: string; password: string }

/** Verifies the password and keeps this session. */
export async function checkPassword(typed: Proof) {
  const aside = separateAuth()
  const { error } = await aside.signInWithPassword(typed)
  if (!error) await aside.signOut({ scope: 'local' })
  return { error }
}

/** Verifies password and code in a new session, which takes this one's place. */
export async function signInAgainWithCode({ code, ...typed }: Proof & { code: string }) {
  const aside = separateAuth()
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
