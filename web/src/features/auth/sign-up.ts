import { auth } from '#lib/auth.ts'
import { getLocale } from '#lib/messages/runtime.js'
import { mailedPage } from '#lib/site-address.ts'

type NewAccount = { firstName: string; lastName: string; email: string; password: string }

/** Where the mailed link leads: the same page that waits for it. */
export const verifyPage = () => mailedPage('/email-verify')

/** Asks for an account. The answer for an address that is already taken looks the same, on purpose. */
export async function signUp({ firstName, lastName, email, password }: NewAccount) {
  const { data, error } = await auth.signUp({
    email,
    password,
    options: {
      data: {
        first_name: firstName,
        last_name: lastName,
        // The language of every mail to come.
        locale: getLocale(),
        // Somebody invited who signs up instead has a password now.
        needs_password: false,
      },
      emailRedirectTo: verifyPage(),
    },
  })
  return { error, userId: data.user?.id }
}
