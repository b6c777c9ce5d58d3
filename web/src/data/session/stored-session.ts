import type { Session } from '@supabase/auth-js'

/** The auth client's storage key for the session. */
export const SESSION_KEY = 'member-session'

/** The account client refreshes a token this long before it expires. */
export const REFRESHED_BEFORE_S = 90

/** The stored session while its token can be used as it is; null if the account client has to be asked. */
export function freshSession(): Session | null {
  const session = storedSession()
  const secondsLeft = (session?.expires_at ?? 0) - Date.now() / 1000
  return secondsLeft > REFRESHED_BEFORE_S ? session : null
}

/** The stored session, even if its token has expired; only the server can say whether it is still valid. */
export function storedSession(): Session | null {
  try {
    const session = JSON.parse(localStorage.getItem(SESSION_KEY) ?? '') as Partial<Session> | null
    return session?.access_token && session.user?.id ? (session as Session) : null
  } catch {
    return null
  }
}
