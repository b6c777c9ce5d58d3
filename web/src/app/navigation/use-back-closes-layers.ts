import { useEffect } from 'react'

/** Loaded after the screen, which it would slow down. */
export function useBackClosesLayers() {
  useEffect(() => {
    let isGone = false
    let stop = () => {}
    import('./back-closes-layers.ts')
      .then(({ startClosingLayersOnBack }) => {
        if (!isGone) stop = startClosingLayersOnBack()
      })
      .catch((error: unknown) => console.warn('Back does not close layers', error))
    return () => {
      isGone = true
      stop()
    }
  }, [])
}
