import { useEffect } from 'react'
import { firstScreenRead } from '#data/first-screen.ts'
import { beforeSignOut } from '#data/session/session.ts'
import { isNativeShell } from '#lib/native/is-native-shell.ts'

const load = () => import('#features/notifications/browser-push.ts')

/**
 * Push in this browser follows the member: it is restored where they had it on, and signing out removes it
 * while the session is still valid. A new session takes this browser over, because push ends with the old one. Phones do
 * all that in useNativePush().
 */
export function useBrowserPush(userId: string, sessionId: string) {
  useEffect(() => {
    if (isNativeShell() || !sessionId) return
    const leaving = new AbortController()
    firstScreenRead()
      .then(load)
      .then(({ resumeBrowser }) => resumeBrowser(userId, leaving.signal))
      // Silent on purpose: the Notifications page shows the state of push.
      .catch((error: unknown) => console.warn('Push was not resumed', error))
    const forget = beforeSignOut(async (scope) => {
      if (scope === 'others') return
      leaving.abort()
      await (await load()).leaveBrowser()
    })
    return () => {
      leaving.abort()
      forget()
    }
  }, [userId, sessionId])
}
