import { useEffect } from 'react'
import { isNativeShell } from '#lib/native/is-native-shell.ts'

/** Registers this phone's push for the signed-in member. Failures are only logged (product.md P90). */
export function useNativePush(userId: string) {
  useEffect(() => {
    if (!isNativeShell()) return
    const registering = import('#features/notifications/register-phone.ts').then(
      ({ registerPhone }) => registerPhone(userId),
    )
    registering.catch((error: unknown) => console.error('Push was not registered', error))
    return () => {
      registering.then((stop) => stop()).catch(() => undefined)
    }
  }, [userId])
}
