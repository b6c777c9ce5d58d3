import { auth } from '#data/session/auth.ts'
import { shownRulesVersion } from '#domain/house-rules.ts'
import { joinToken } from '#domain/join-token.ts'
import { signUpOutcome } from '#domain/membership.ts'
import { m } from '#lib/messages/messages.js'
import { getLocale } from '#lib/messages/runtime.js'
import { mailedPage } from '#lib/server/site-address.ts'

type NewAccount = { firstName: string; lastName: string; email: string; password: string }

/** The mailed link leads back to the page that waits for it. */
const verifyPage = () => mailedPage('/email-verify')

/** Signs up. The response for an address already in use looks the same, on purpose. */
export async function signUp({ firstName, lastName, email, password }: NewAccount) {
  const refused = refusalOf(await signUpOutcome(email).catch(() => undefined))
  if (refused) return { error: { message: refused }, userId: undefined }
  const token = joinToken()
  const house_rules = await shownRulesVersion()
  const { data, error } = await (
    await auth()
  ).signUp({
    email,
    password,
    options: {
      data: {
        first_name: firstName,
        last_name: lastName,
        // The language of all future mails.
        locale: getLocale(),
        // Somebody invited who signs up instead now has a password.
        needs_password: false,
        house_rules,
        ...(token && { join_token: token }),
      },
      emailRedirectTo: verifyPage(),
    },
  })
  return { error, userId: data.user?.id }
}

/** What keeps an address out. Where the server did not say, the sign-up itself shows. */
export function refusalOf(outcome: string | undefined): string | undefined {
  if (outcome === 'other_domain') return m.auth_other_domain_text()
  return outcome === 'invitation_only' ? m.auth_invitation_only_text() : undefined
}

/** Mails the confirmation of a sign-up again. */
export async function resendConfirmation(email: string) {
  return (await auth()).resend({
    type: 'signup',
    email,
    options: { emailRedirectTo: verifyPage() },
  })
}

/** Navigation state of Create Account, e.g. from an invitation or Edit Email. */
export type AccountPrefill = { firstName?: string; lastName?: string; email?: string }

/** Navigation state of the verify screen. Absent when a mailed link opened it in another tab. */
export type VerificationState = AccountPrefill & { userId?: string | undefined }
