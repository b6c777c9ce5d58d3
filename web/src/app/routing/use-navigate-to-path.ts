import { useEffect } from 'react'
import { useNavigate } from 'react-router'

/** A tapped notice raises the window event "navigate-to-path", which opens a page of the app. */
export function useNavigateToPath() {
  const navigate = useNavigate()
  useEffect(() => {
    function openPath(event: Event) {
      const { path } = (event as CustomEvent<{ path?: string } | null>).detail ?? {}
      if (path?.startsWith('/')) void navigate(path)
    }
    window.addEventListener('navigate-to-path', openPath)
    return () => window.removeEventListener('navigate-to-path', openPath)
  }, [navigate])
}
