import { m } from '#lib/messages/messages.js'
import { signOut } from '#lib/session.ts'
import { mailedPage } from '#lib/site-address.ts'
import { auth, database } from '#lib/supabase.ts'

type Name = { firstName: string; lastName: string }

/** Changes the name that the team sees. */
export async function changeName(userId: string, { firstName, lastName }: Name) {
  const name = { first_name: firstName, last_name: lastName }
  const { error } = await database.from('users').update(name).eq('id', userId)
  // The account keeps a copy that greets while the profile is loading; it may lag behind.
  if (!error) void auth.updateUser({ data: name })
  return { error }
}

/** Asks for a confirmation by mail; the address changes when its link is opened. */
export function changeEmail({ email }: { email: string }) {
  return auth.updateUser({ email }, { emailRedirectTo: mailedPage('/profile') })
}

/** Mails come in the language chosen last, on whatever device. */
export async function rememberLocale(locale: string) {
  const { error } = await auth.updateUser({ data: { locale } })
  if (error) console.warn('Mails keep their language', error)
}

/** Proves who is sitting there. Also makes the session a fresh one, which a deletion asks for. */
async function typePasswordAgain(email: string, password: string) {
  const { error } = await auth.signInWithPassword({ email, password })
  const isWrong = error?.code === 'invalid_credentials'
  return { error: isWrong ? { message: m.profile_wrong_password() } : error }
}

type PasswordChange = { current: string; password: string }

/** Changes the password of whoever knows the current one, and ends every other session. */
export async function changePassword(email: string, { current, password }: PasswordChange) {
  const proof = await typePasswordAgain(email, current)
  if (proof.error) return { error: proof.error }
  const { error } = await auth.updateUser({ password, current_password: current })
  if (error) return { error }
  // The password has changed, which is what was asked for: whatever becomes of the other sessions is only logged.
  await endOthers().catch((failure: unknown) => console.warn('Other sessions stay', failure))
  return { error: null }
}

async function endOthers() {
  const { error } = await signOut('others')
  if (error) throw error
}

/** Deletes the account for good and leaves nobody signed in here. */
export async function deleteAccount(email: string, { password }: { password: string }) {
  const proof = await typePasswordAgain(email, password)
  if (proof.error) return { error: proof.error }
  const { error } = await database.rpc('delete_my_account')
  if (error) return { error }
  // The session went with the account, so the server may not know it any more; this device forgets it anyway.
  await signOut('local')
  return { error: null }
}
