// A mailed link carries a session in its fragment. A link to a stranger's account must not sign a member in unnoticed
// (session fixation: the stranger would read what they write), so switching accounts needs a confirmation.
import type { AuthClient } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { appPath } from '#lib/app-path.ts'
import { storedSession } from './stored-session.ts'

type Auth = InstanceType<typeof AuthClient>
type Tokens = { access_token: string; refresh_token: string }
export type OfferedSession = Tokens & {
  email: string
  /** The account it would replace; null when signed out. */
  currentEmail: string | null
  /** The page the link opens. */
  path: string
}

/** Pages that mails link to: a signed-out visitor is signed in there without a question, and the page names the account. */
const MAILED_PAGES = ['/', '/email-verify', '/create-account', '/new-password', '/profile']

let offered: OfferedSession | null = null
let newcomer = ''
const listeners = new Set<() => void>()

/**
 * Checks the address before the auth client reads it. A session that needs a confirmation is removed from the address,
 * so that neither the client nor the history keeps it.
 */
export function admitLinkSession(address: Location): void {
  const params = new URLSearchParams(address.hash.slice(1))
  const [access_token, refresh_token] = [params.get('access_token'), params.get('refresh_token')]
  if (!access_token || !refresh_token) return
  const path = appPath(address.pathname + address.search)
  const isMailedPage = MAILED_PAGES.includes(address.pathname)
  if (offer({ access_token, refresh_token }, path, isMailedPage)) {
    history.replaceState(history.state, '', path)
  }
}

/** Offers the session if it needs a confirmation, and returns whether it does. @param isMailed surely came from a mail */
export function offer(tokens: Tokens, path: string, isMailed: boolean): boolean {
  const { sub = '', email = '' } = claimsOf(tokens.access_token)
  const current = storedSession()?.user
  newcomer = current ? '' : email
  if (current ? current.id === sub : isMailed) return false
  setOffered({ ...tokens, email, currentEmail: current?.email ?? null, path })
  return true
}

export function useOfferedSession(): OfferedSession | null {
  return useSyncExternalStore(subscribe, () => offered)
}

export function declineOfferedSession() {
  setOffered(null)
}

/** The e-mail of the account that a mailed link signed in, once; empty if it was already signed in. */
export function takeNewcomer(): string {
  const email = newcomer
  newcomer = ''
  return email
}

/** Replaces this device's session; `leave` signs the current member out. @returns whether the link was still valid */
export async function acceptOfferedSession(
  { access_token, refresh_token }: OfferedSession,
  auth: Auth,
  leave: () => Promise<unknown>,
): Promise<boolean> {
  // Verify before signing anybody out.
  const { error } = await auth.getUser(access_token)
  if (error) return false
  await leave()
  return (await auth.setSession({ access_token, refresh_token })).error === null
}

// Not verified here: the server does that before the session is used, and rejects a forged token.
function claimsOf(token: string): { sub?: string; email?: string } {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(payload), (char) => char.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes)) as { sub?: string; email?: string }
  } catch {
    return {}
  }
}

function setOffered(next: OfferedSession | null) {
  offered = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
