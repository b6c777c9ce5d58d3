import type { Session } from '@supabase/auth-js'

/** The auth client's storage key for the session. */
export const SESSION_KEY = 'member-session'

/** The stored session, even if its token has expired; only the server can say whether it is still valid. */
export function storedSession(): Session | null {
  try {
    const session = JSON.parse(localStorage.getItem(SESSION_KEY) ?? '') as Partial<Session> | null
    return session?.access_token && session.user?.id ? (session as Session) : null
  } catch {
    return null
  }
}
