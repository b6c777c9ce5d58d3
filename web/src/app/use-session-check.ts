import { useEffect } from 'react'
import { auth } from '#lib/auth.ts'

const AT_MOST_EVERY_MS = 60_000

/**
 * A session may have been ended from another device while this one holds a token that is good for some minutes more.
 * Asked at the start and whenever the app is looked at again; when the session is gone, the client drops it and the
 * guard leads to the login.
 */
export function useSessionCheck() {
  useEffect(() => {
    let checkedAt = 0
    function check() {
      if (document.hidden || Date.now() - checkedAt < AT_MOST_EVERY_MS) return
      checkedAt = Date.now()
      // Without a connection nothing is known, and the member stays.
      auth.getUser().catch((error: unknown) => console.warn('The session was not checked', error))
    }
    check()
    document.addEventListener('visibilitychange', check)
    return () => document.removeEventListener('visibilitychange', check)
  }, [])
}
