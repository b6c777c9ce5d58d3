import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { preloadScreen } from './preload-screen.ts'

// A finger takes a tenth of a second to press, a pointer longer; use that time to load the screen's code.
const APPROACHES = ['pointerover', 'touchstart', 'focusin']

/** Where the login leads. What a member opens next is preloaded by `usePreloadedTabs`. */
const BEHIND_LOGIN = ['/home', '/create-account', '/forgot-password']

/** Late enough not to compete with the login screen, early enough to finish before a password is typed. */
const BEHIND_LOGIN_AFTER_MS = 1500

/** Preloads the screen of a link before it is pressed, and what is behind the login while the member types a password. */
export function usePreloadedScreens() {
  const isLogin = useLocation().pathname === '/'

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

  useEffect(() => {
    if (!isLogin) return
    const timer = setTimeout(
      () => BEHIND_LOGIN.forEach((path) => void preloadScreen(path)),
      BEHIND_LOGIN_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [isLogin])
}
