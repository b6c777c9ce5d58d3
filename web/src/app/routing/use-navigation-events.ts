import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { appPath } from '#lib/app-path.ts'

type NavigationEvent = CustomEvent<{ chatId?: string; path?: string } | null>

/**
 * A tapped push notification raises a window event: "navigate-to-chat", which opens the thread, or "navigate-to-path", which
 * opens a page of the app.
 */
export function useNavigationEvents() {
  const navigate = useNavigate()
  useEffect(() => {
    function openChat(event: Event) {
      const { chatId } = (event as NavigationEvent).detail ?? {}
      if (chatId) void navigate(`/chat/${encodeURIComponent(chatId)}`)
    }
    function openPath(event: Event) {
      const { path } = (event as NavigationEvent).detail ?? {}
      if (path?.startsWith('/')) void navigate(appPath(path))
    }
    window.addEventListener('navigate-to-chat', openChat)
    window.addEventListener('navigate-to-path', openPath)
    return () => {
      window.removeEventListener('navigate-to-chat', openChat)
      window.removeEventListener('navigate-to-path', openPath)
    }
  }, [navigate])
}
