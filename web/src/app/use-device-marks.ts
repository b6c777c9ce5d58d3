import { useEffect } from 'react'
import { matchPath, useLocation } from 'react-router'
import { dismissNotifications } from './dismiss-notifications.ts'
import { showAppBadge } from './show-app-badge.ts'

/** Keeps what the device shows outside of the app true: the number on its icon, and the chats it tells of. */
export function useDeviceMarks(unread: number | undefined) {
  const { pathname } = useLocation()
  const chatId = matchPath('/chat/:chatId', pathname)?.params.chatId

  useEffect(() => {
    // Until it is known, the number of the last push stands.
    if (unread !== undefined) quietly(showAppBadge(unread))
  }, [unread])
  // Whoever signs out leaves no number behind.
  useEffect(() => () => quietly(showAppBadge(0)), [])
  useEffect(() => {
    if (chatId) quietly(dismissNotifications(chatId))
  }, [chatId])
}

function quietly(work: Promise<void>) {
  work.catch((error: unknown) => console.warn('The device kept its marks', error))
}
