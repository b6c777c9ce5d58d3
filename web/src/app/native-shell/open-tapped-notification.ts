import { PushNotifications } from '@capacitor/push-notifications'

/** What a push carries; see docs/push.md. The phone hands it over as it came, so every part may be missing. */
type PushData = { chat_id?: unknown; link?: unknown }

/** A tapped notification leads to its chat or page; the tap that started the app is kept until this listens. */
export async function openTappedNotifications() {
  await PushNotifications.addListener('pushNotificationActionPerformed', ({ notification }) =>
    openTarget((notification.data ?? {}) as PushData),
  )
}

function openTarget({ chat_id: chatId, link }: PushData) {
  if (typeof chatId === 'string' && chatId) {
    window.dispatchEvent(new CustomEvent('navigate-to-chat', { detail: { chatId } }))
    return
  }
  // A web address is opened from the notice itself, where the member sees where it leads.
  const path = typeof link === 'string' && /^\/(?!\/)/.test(link) ? link : '/notifications'
  window.dispatchEvent(new CustomEvent('navigate-to-path', { detail: { path } }))
}
