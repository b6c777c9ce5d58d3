import { useEffect } from 'react'
import { useNavigate } from 'react-router'

/** A tapped push notification raises the window event "navigate-to-chat", which opens the thread. */
export function useNavigateToChat() {
  const navigate = useNavigate()
  useEffect(() => {
    function openChat(event: Event) {
      const { chatId } = (event as CustomEvent<{ chatId?: string } | null>).detail ?? {}
      if (chatId) void navigate(`/chat/${encodeURIComponent(chatId)}`)
    }
    window.addEventListener('navigate-to-chat', openChat)
    return () => window.removeEventListener('navigate-to-chat', openChat)
  }, [navigate])
}
