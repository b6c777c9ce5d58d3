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
