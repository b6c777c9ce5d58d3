import { useEffect } from 'react'
import { preloadScreen } from './preload-screen.ts'

// A finger takes a tenth of a second to press, a pointer longer; use that time to load the screen's code.
const APPROACHES = ['pointerover', 'touchstart', 'focusin']

/** Preloads the screen of a link before it is pressed. */
export function usePreloadedLinks() {
  useEffect(() => {
    function preload({ target }: Event) {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="/"]')
      if (link) void preloadScreen(link.pathname)
    }
    for (const approach of APPROACHES) {
      document.addEventListener(approach, preload, { passive: true })
    }
    return () => {
      for (const approach of APPROACHES) document.removeEventListener(approach, preload)
    }
  }, [])
}
