import { isNativeShell } from '#lib/is-native-shell.ts'

/** Takes what the device still shows about a chat away, once the member is in it. */
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
  // Android knows a chat's notifications by their tag, iOS by what they carry.
  const shown = notifications.filter(
    ({ tag, data }) => tag === chatId || (data as { chat_id?: unknown } | null)?.chat_id === chatId,
  )
  if (shown.length) await PushNotifications.removeDeliveredNotifications({ notifications: shown })
}
