import { queryOptions } from '@tanstack/react-query'
import { forgetMember } from '#data/kept/device-data.ts'
import { saveInOrder } from '#data/live/save-in-order.ts'
import type { AuthResult } from '#data/session/proof.ts'
import { verifiedFactors } from '#data/session/second-factor.ts'
import { signOut } from '#data/session/session.ts'
import { auth, database } from '#data/supabase.ts'
import { m } from '#lib/messages/messages.js'
import { mailedPage } from '#lib/server/site-address.ts'
import type { Contact } from './contact-schema.ts'

type Name = { firstName: string; lastName: string }

/** Changes the name that the team sees. */
export async function changeName(userId: string, { firstName, lastName }: Name) {
  const name = { first_name: firstName, last_name: lastName }
  const { error } = await database.from('users').update(name).eq('id', userId)
  // The account's copy of the name is used while the profile loads; it may lag behind.
  if (!error) void changeAccount(name, 'The account keeps the name of before')
  return { error }
}

/** Changes how others reach the member, and who sees that. */
export async function changeContact(userId: string, contact: Contact) {
  const { phone, phoneAudience, emailAudience, state, about } = contact
  return database
    .from('users')
    .update({
      phone: phone || null,
      phone_audience: phoneAudience,
      email_audience: emailAudience,
      state: state || null,
      about,
    })
    .eq('id', userId)
}

/** In order: the last of two quick choices must be stored last. A failure is only logged. */
async function changeAccount(data: object, failed: string) {
  const { error } = await saveInOrder('account', async () => (await auth()).updateUser({ data }))
  if (error) console.warn(failed, error)
}

/** Mails a confirmation; the address changes once its link is opened. */
export async function changeEmail({ email }: { email: string }) {
  const options = { emailRedirectTo: mailedPage('/profile') }
  return withProof(async () => (await auth()).updateUser({ email }, options))
}

async function withProof<Result extends AuthResult>(work: () => Promise<Result>) {
  return (await import('#data/session/proof.ts')).withProof(work)
}

/** Mails the links of a pending change again. @param email the address that still counts */
export async function resendEmailChange(email: string) {
  const options = { emailRedirectTo: mailedPage('/profile') }
  return (await auth()).resend({ type: 'email_change', email, options })
}

type AccountEmail = {
  /** The address that counts. */
  email: string
  /** The one that counts once its links are opened. */
  newEmail: string | null
}

/** The account's addresses. Asked again on return, because links open in other tabs and on other devices. */
export const accountEmailQuery = (userId: string) =>
  queryOptions({
    queryKey: ['account-email', userId],
    queryFn: async (): Promise<AccountEmail> => {
      const { data, error } = await (await auth()).getUser()
      if (error) throw error
      return { email: data.user.email ?? '', newEmail: data.user.new_email ?? null }
    },
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/** Mails use the language last chosen on any device. */
export async function rememberLocale(locale: string) {
  await changeAccount({ locale }, 'Could not save the language of mails')
}

const proveAgain = () => import('./prove-again.ts')

async function hasSecondFactor(): Promise<boolean> {
  const { data } = await (await auth()).getSession()
  return data.session !== null && verifiedFactors(data.session).length > 0
}

/** Next to a typed password, "invalid credentials" is about that. */
export function inWords(error: { code?: string | undefined; message: string }) {
  return error.code === 'invalid_credentials' ? { message: m.profile_wrong_password() } : error
}

type PasswordChange = { current: string; password: string }

/** Changes the password after verifying the current one, and ends all other sessions. */
export async function changePassword(email: string, { current, password }: PasswordChange) {
  const typed = { email, password: current }
  const proof = (await hasSecondFactor())
    ? await (await proveAgain()).checkPassword(typed)
    : await (await auth()).signInWithPassword(typed)
  if (proof.error) return { error: inWords(proof.error) }
  const { error } = await withProof(async () =>
    (await auth()).updateUser({ password, current_password: current }),
  )
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

/** Deletes the account for good and signs out here. `code`: of the second factor, if there is one. */
export async function deleteAccount(
  email: string,
  { password, code }: { password: string; code: string },
) {
  // Also makes the session fresh, which the database requires.
  const proof = (await hasSecondFactor())
    ? await (await proveAgain()).signInAgainWithCode({ email, password, code })
    : await (await auth()).signInWithPassword({ email, password })
  if (proof.error) return { error: inWords(proof.error) }
  const { data } = await (await auth()).getSession()
  const { error } = await database.rpc('delete_my_account')
  if (error) return { error }
  // The session is gone with the account, so the server may reject the sign-out; this device clears it
  // anyway.
  await signOut('local')
  if (data.session) await forgetMember(data.session.user.id)
  return { error: null }
}
