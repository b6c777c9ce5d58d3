import { m } from '#lib/messages/messages.js'
import { forgetMember } from '#lib/offline/device-data.ts'
import { signOut } from '#lib/supabase/session.ts'
import { mailedPage } from '#lib/supabase/site-address.ts'
import { auth, database } from '#lib/supabase/supabase.ts'

type Name = { firstName: string; lastName: string }

/** Changes the name that the team sees. */
export async function changeName(userId: string, { firstName, lastName }: Name) {
  const name = { first_name: firstName, last_name: lastName }
  const { error } = await database.from('users').update(name).eq('id', userId)
  // The account's copy of the name is used while the profile loads; it may lag behind.
  if (!error) void auth.updateUser({ data: name })
  return { error }
}

/** Mails a confirmation; the address changes once its link is opened. */
export function changeEmail({ email }: { email: string }) {
  return auth.updateUser({ email }, { emailRedirectTo: mailedPage('/profile') })
}

/** Mails use the language last chosen on any device. */
export async function rememberLocale(locale: string) {
  const { error } = await auth.updateUser({ data: { locale } })
  if (error) console.warn('Could not save the language of mails', error)
}

/** Verifies the password. Also makes the session fresh, which deleting an account requires. */
async function typePasswordAgain(email: string, password: string) {
  const { error } = await auth.signInWithPassword({ email, password })
  const isWrong = error?.code === 'invalid_credentials'
  return { error: isWrong ? { message: m.profile_wrong_password() } : error }
}

type PasswordChange = { current: string; password: string }

/** Changes the password after verifying the current one, and ends all other sessions. */
export async function changePassword(email: string, { current, password }: PasswordChange) {
  const proof = await typePasswordAgain(email, current)
  if (proof.error) return { error: proof.error }
  const { error } = await auth.updateUser({ password, current_password: current })
  if (error) return { error }
  // The password has changed, which is what matters: failing to end the other sessions is only logged.
  await endOthers().catch((failure: unknown) =>
    console.warn('Could not end the other sessions', failure),
  )
  return { error: null }
}

async function endOthers() {
  const { error } = await signOut('others')
  if (error) throw error
}

/** Deletes the account for good and signs out here. */
export async function deleteAccount(email: string, { password }: { password: string }) {
  const proof = await typePasswordAgain(email, password)
  if (proof.error) return { error: proof.error }
  const { data } = await auth.getSession()
  const { error } = await database.rpc('delete_my_account')
  if (error) return { error }
  // The session is gone with the account, so the server may reject the sign-out; this device clears it
  // anyway.
  await signOut('local')
  if (data.session) await forgetMember(data.session.user.id)
  return { error: null }
}
