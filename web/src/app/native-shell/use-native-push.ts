import { useEffect } from 'react'
import { isNativeShell } from '#lib/native/is-native-shell.ts'

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
