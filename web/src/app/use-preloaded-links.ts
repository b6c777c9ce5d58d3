import { useEffect } from 'react'
import { preloadScreen } from './preload-screen.ts'

// A finger is on its way for a tenth of a second, a pointer longer; the screen's code uses it.
const APPROACHES = ['pointerover', 'touchstart', 'focusin']

/** Fetches the code of the screen that a link leads to before the link is pressed. */
export function usePreloadedLinks() {
  useEffect(() => {
    function preload({ target }: Event) {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="/"]')
      if (link) preloadScreen(link.pathname)
    }
    for (const approach of APPROACHES) {
      document.addEventListener(approach, preload, { passive: true })
    }
    return () => {
      for (const approach of APPROACHES) document.removeEventListener(approach, preload)
    }
  }, [])
}
