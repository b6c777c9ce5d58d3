import type { Session } from '@supabase/auth-js'

/** Where the account client keeps the session on this device. */
export const SESSION_KEY = 'member-session'

/** The session of the last visit, whether its token is still good or not. The server has the last word about it. */
export function storedSession(): Session | null {
  try {
    const session = JSON.parse(localStorage.getItem(SESSION_KEY) ?? '') as Partial<Session> | null
    return session?.access_token && session.user?.id ? (session as Session) : null
  } catch {
    return null
  }
}
