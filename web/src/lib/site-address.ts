import { isNativeShell } from './is-native-shell.ts'
import { connectedConfig } from './supabase-connection.ts'

/**
 * Where the web app is reached; mails and invitations lead there. The pages of the native apps come from the phone, whose
 * own origin means nothing elsewhere: they are built with the site's address, or take the backend's, which serves the site.
 */
export function siteAddress(): string {
  if (!isNativeShell()) return location.origin
  const built = import.meta.env.VITE_SITE_URL as string | undefined
  return new URL(built || connectedConfig().supabaseUrl).origin
}

/** Marks a mail that was asked for in the native app, so that the page it leads to can lead back there. */
export const FROM_APP = 'from-app'

/** The page of the site that a mailed link leads to. */
export function mailedPage(path: string): string {
  const address = new URL(path, siteAddress())
  if (isNativeShell()) address.searchParams.set(FROM_APP, '1')
  return address.href
}
