import { useEffect } from 'react'
import { isNativeShell } from '#lib/native/is-native-shell.ts'

/**
 * Native apps only; browsers never load it. Starts after the app subscribed to `navigate-to-chat` and
 * `navigate-to-path`, because the tap that launched the app is delivered immediately.
 */
export function useNativeShell() {
  useEffect(() => {
    if (!isNativeShell()) return
    import('./start-native-shell.ts')
      .then(({ startNativeShell }) => startNativeShell())
      .catch((error: unknown) => console.error('The native shell did not start', error))
  }, [])
}

/** Registers this phone's push for the member's session. Failures are only logged (product.md P90). */
export function useNativePush(userId: string, sessionId: string) {
  useEffect(() => {
    if (!isNativeShell() || !sessionId) return
    const registering = import('#features/notifications/register-phone.ts').then(
      ({ registerPhone }) => registerPhone(userId),
    )
    registering.catch((error: unknown) => console.error('Push was not registered', error))
    return () => {
      registering.then((stop) => stop()).catch(() => undefined)
    }
  }, [userId, sessionId])
}
