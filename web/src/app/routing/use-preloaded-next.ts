import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { preloadScreen } from './preload-screen.ts'

/** Late enough not to compete with the login screen, early enough to finish before a password is typed. */
const PRELOAD_AFTER_MS = 1500

/** Where the login leads. */
const NEXT = ['/home', '/create-account', '/forgot-password']

/** Preloads the screens behind the login while the member types a password. */
export function usePreloadedNext() {
  const isLogin = useLocation().pathname === '/'
  useEffect(() => {
    if (!isLogin) return
    const timer = setTimeout(
      () => NEXT.forEach((path) => void preloadScreen(path)),
      PRELOAD_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [isLogin])
}
