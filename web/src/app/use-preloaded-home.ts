import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { routes } from './routes.tsx'

/** Late enough not to compete with the login screen itself, early enough to be done before a password is typed. */
const PRELOAD_AFTER_MS = 1500

/** While somebody types a password, the screen behind the login is fetched. */
export function usePreloadedHome() {
  const isLogin = useLocation().pathname === '/'
  useEffect(() => {
    if (!isLogin) return
    const timer = setTimeout(() => {
      void import('./member-frame.tsx')
      routes.find((route) => route.path === '/home')?.screen.preload?.()
    }, PRELOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isLogin])
}
