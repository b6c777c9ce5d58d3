import type { EmailOtpType } from '@supabase/auth-js'
import { auth } from '#data/session/auth.ts'
import { offer } from '#data/session/link-session.ts'
import { separateAuth } from '#data/session/separate-auth.ts'
import { storedSession } from '#data/session/stored-session.ts'
import { appPath } from '#lib/app-path.ts'

/** A link from an auth mail. On a phone that associates the site with the app, it opens in the app. */
export type MailedLink = { token: string; type: EmailOtpType; path: string }

const VERIFY = '/auth/v1/verify'

export function mailedLinkOf(address: URL): MailedLink | null {
  const token = address.searchParams.get('token')
  const type = address.searchParams.get('type')
  if (address.pathname !== VERIFY || !token || !type) return null
  const redirectTo = address.searchParams.get('redirect_to') ?? ''
  return { token, type, path: pathOf(redirectTo) }
}

/** With its parameters, such as which invitation the mail is about; never another site's. */
function pathOf(redirectTo: string): string {
  if (!URL.canParse(redirectTo)) return '/'
  const { pathname, search } = new URL(redirectTo)
  return appPath(pathname + search)
}

/**
 * Redeems the link as the auth service would in a browser. Returns the page to open next, with the reason if it failed,
 * or null for another account's link, which the member has to confirm first.
 */
export async function redeem({ token, type, path }: MailedLink): Promise<string | null> {
  // The account is only known once the link is redeemed, so a separate client keeps an existing session untouched.
  const own = storedSession() ? undefined : await auth()
  const client = own ?? separateAuth()
  const { data, error } = await client.verifyOtp({ token_hash: token, type })
  if (error) return `${path}#error_code=${encodeURIComponent(error.code ?? 'unknown')}`
  if (own || !data.session) return path
  if (offer(data.session, path, true)) return null
  await (await auth()).setSession(data.session)
  return path
}
