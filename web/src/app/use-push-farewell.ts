import { useEffect } from 'react'
import { isNativeShell } from '#lib/is-native-shell.ts'
import { beforeSignOut } from '#lib/session.ts'

/** Signing out takes devices out of the member's push devices while the session still allows it; phones do it themselves. */
export function usePushFarewell() {
  useEffect(() => {
    if (isNativeShell()) return
    const forget = beforeSignOut(async (scope) => {
      const { leaveBrowser } = await import('#features/notifications/browser-push.ts')
      await leaveBrowser(scope)
    })
    return () => void forget()
  }, [])
}
