import type { EmailOtpType } from '@supabase/auth-js'
import { auth } from '#lib/auth.ts'

/** A link of a mail, as the auth service writes it; where the site belongs to the app, the phone opens the app with it. */
export type MailedLink = { token: string; type: EmailOtpType; path: string }

const VERIFY = '/auth/v1/verify'

export function mailedLinkOf(address: URL): MailedLink | null {
  const token = address.searchParams.get('token')
  const type = address.searchParams.get('type')
  if (address.pathname !== VERIFY || !token || !type) return null
  const asked = address.searchParams.get('redirect_to') ?? ''
  const path = URL.canParse(asked) ? new URL(asked).pathname.replace(/^\/+/, '/') : '/'
  return { token, type, path }
}

/** Does what the auth service would have done in a browser. Returns the page that comes next, with the reason if it failed. */
export async function redeem({ token, type, path }: MailedLink): Promise<string> {
  const { error } = await auth.verifyOtp({ token_hash: token, type })
  return error ? `${path}#error_code=${encodeURIComponent(error.code ?? 'unknown')}` : path
}
