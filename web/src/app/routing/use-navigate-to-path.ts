import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { appPath } from '#lib/app-path.ts'

/** A tapped notice raises the window event "navigate-to-path", which opens a page of the app. */
export function useNavigateToPath() {
  const navigate = useNavigate()
  useEffect(() => {
    function openPath(event: Event) {
      const { path } = (event as CustomEvent<{ path?: string } | null>).detail ?? {}
      if (path?.startsWith('/')) void navigate(appPath(path))
    }
    window.addEventListener('navigate-to-path', openPath)
    return () => window.removeEventListener('navigate-to-path', openPath)
  }, [navigate])
}
