import { useEffect } from 'react'
import { isNativeShell } from '#lib/is-native-shell.ts'
import { beforeSignOut } from '#lib/session.ts'

/**
 * Push in this browser follows the member: it comes back where they had it on, and signing out takes it away while the
 * session still allows it. Phones do both themselves (use-native-push.ts).
 */
export function useBrowserPush(userId: string) {
  useEffect(() => {
    if (isNativeShell()) return
    const leaving = new AbortController()
    const push = import('#features/notifications/browser-push.ts')
    push
      .then(({ resumeBrowser }) => resumeBrowser(userId, leaving.signal))
      // Silent on purpose: the Notifications page tells where push stands.
      .catch((error: unknown) => console.warn('Push was not resumed', error))
    const forget = beforeSignOut(async (scope) => {
      if (scope !== 'others') leaving.abort()
      await (await push).leaveBrowser(scope)
    })
    return () => {
      leaving.abort()
      forget()
    }
  }, [userId])
}
