import { useEffect } from 'react'
import { isNativeShell } from '#lib/is-native-shell.ts'

/** Push on this phone goes to the member who is signed in. Failing is only logged, as the product says. */
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
