import { useEffect } from 'react'
import { isNativeShell } from '#lib/is-native-shell.ts'

/**
 * What only the native apps need; browsers never load it. It starts once the app listens to `navigate-to-chat` and
 * `navigate-to-path`, because the tap that opened the app is handed over at once.
 */
export function useNativeShell() {
  useEffect(() => {
    if (!isNativeShell()) return
    import('./start-native-shell.ts')
      .then(({ startNativeShell }) => startNativeShell())
      .catch((error: unknown) => console.error('The native shell did not start', error))
  }, [])
}
