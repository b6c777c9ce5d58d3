import { PushNotifications } from '@capacitor/push-notifications'
import { goToTarget } from '#lib/go-to-target.ts'
import type { PushData } from '#lib/push-target.ts'

/**
 * A tapped notification leads to its chat or page; the tap that started the app is kept until this listens. A web
 * address is opened from the notice itself, where the member sees where it leads.
 */
export async function openTappedNotifications() {
  await PushNotifications.addListener('pushNotificationActionPerformed', ({ notification }) =>
    goToTarget((notification.data ?? {}) as PushData),
  )
}
