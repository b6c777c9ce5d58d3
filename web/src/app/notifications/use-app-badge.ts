import { useEffect } from 'react'
import { matchPath, useLocation } from 'react-router'
import { isNativeShell } from '#lib/native/is-native-shell.ts'

/** Keeps the app icon's badge and the notifications for open chats up to date. */
export function useAppBadge(unread: number | undefined) {
  const { pathname } = useLocation()
  const chatId = matchPath('/chat/:chatId', pathname)?.params.chatId

  useEffect(() => {
    // Until the count is known, the last push's number stays.
    if (unread !== undefined) quietly(showAppBadge(unread))
  }, [unread])
  // Signing out clears the badge.
  useEffect(() => () => quietly(showAppBadge(0)), [])
  useEffect(() => {
    if (chatId) quietly(dismissNotifications(chatId))
  }, [chatId])
}

function quietly(work: Promise<void>) {
  work.catch((error: unknown) => console.warn('Could not update badge or notifications', error))
}

/** The number on the app icon; none for 0. Missing support is not an error. */
export async function showAppBadge(count: number): Promise<void> {
  if (isNativeShell()) {
    const { Badge } = await import('@capawesome/capacitor-badge')
    return count > 0 ? Badge.set({ count }) : Badge.clear()
  }
  // Older browsers lack both, and some refuse them to an app that is not installed.
  const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>
  await (count > 0 ? setAppBadge?.call(navigator, count) : clearAppBadge?.call(navigator))
}

/** Dismisses the device's notifications about a chat once the member opens it. */
export async function dismissNotifications(chatId: string): Promise<void> {
  if (isNativeShell()) return dismissOnPhone(chatId)
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  const shown = (await registration?.getNotifications({ tag: chatId })) ?? []
  for (const notification of shown) notification.close()
}

async function dismissOnPhone(chatId: string): Promise<void> {
  const { PushNotifications } = await import('@capacitor/push-notifications')
  const { notifications } = await PushNotifications.getDeliveredNotifications()
  // Android identifies a chat's notifications by tag, iOS by payload.
  const shown = notifications.filter(
    ({ tag, data }) => tag === chatId || (data as { chat_id?: unknown } | null)?.chat_id === chatId,
  )
  if (shown.length) await PushNotifications.removeDeliveredNotifications({ notifications: shown })
}
