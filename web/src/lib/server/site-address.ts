import { isNativeShell } from '#lib/native/is-native-shell.ts'
import { connectedConfig } from './supabase-connection.ts'

/**
 * The web app's address, which mail and invitation links lead to. An embedded server names it: this page may have been
 * opened at another, such as 127.0.0.1. Native apps serve pages from the phone, whose origin means nothing elsewhere: they
 * are built with the site's address, or use the backend's, which serves the site.
 */
export function siteAddress(): string {
  const { siteUrl, supabaseUrl } = connectedConfig()
  if (!isNativeShell()) return siteUrl ?? location.origin
  const built = import.meta.env.VITE_SITE_URL as string | undefined
  return new URL(built || supabaseUrl).origin
}

/** Marks a mail requested in the native app, so that its page can lead back there. */
export const FROM_APP = 'from-app'

/** The site's page that a mailed link leads to. */
export function mailedPage(path: string): string {
  const address = new URL(path, siteAddress())
  if (isNativeShell()) address.searchParams.set(FROM_APP, '1')
  return address.href
}

/** The URL of a public file as everybody can use it, to be stored: under the site's address, not this page's. */
export function toStoredUrl(url: string): string {
  const { siteUrl, supabaseUrl } = connectedConfig()
  return movePrefix(url, supabaseUrl, siteUrl)
}

/** A stored URL at the address this page was opened at, which may not reach the site's. */
export function toReachableUrl(url: string): string {
  const { siteUrl, supabaseUrl } = connectedConfig()
  return movePrefix(url, siteUrl, supabaseUrl)
}

function movePrefix(url: string, from: string | undefined, to: string | undefined): string {
  return from && to && url.startsWith(`${from}/`) ? to + url.slice(from.length) : url
}
