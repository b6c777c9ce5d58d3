import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { routes } from './routes.tsx'

/** Late enough not to compete with the login screen, early enough to finish before a password is typed. */
const PRELOAD_AFTER_MS = 1500

/** Where the login leads. */
const NEXT = ['/home', '/create-account', '/forgot-password']

/** Preloads the screens behind the login while the member types a password. */
export function usePreloadedNext() {
  const isLogin = useLocation().pathname === '/'
  useEffect(() => {
    if (!isLogin) return
    const timer = setTimeout(() => {
      // Where that fails, signing in tries again and says so.
      import('#app/member-frame.tsx').catch(() => undefined)
      for (const route of routes) if (NEXT.includes(route.path)) route.screen.preload?.()
    }, PRELOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isLogin])
}
