import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { routes } from './routes.tsx'

/** Late enough not to compete with the login screen itself, early enough to be done before a password is typed. */
const PRELOAD_AFTER_MS = 1500

/** Where the login leads. */
const NEXT = ['/home', '/create-account', '/forgot-password']

/** While somebody types a password, the screens the login leads to are fetched. */
export function usePreloadedNext() {
  const isLogin = useLocation().pathname === '/'
  useEffect(() => {
    if (!isLogin) return
    const timer = setTimeout(() => {
      void import('./member-frame.tsx')
      for (const route of routes) if (NEXT.includes(route.path)) route.screen.preload?.()
    }, PRELOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isLogin])
}
