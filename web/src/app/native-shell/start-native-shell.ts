import { App } from '@capacitor/app'
import { Haptics, ImpactStyle } from '@capacitor/haptics'
import { Keyboard } from '@capacitor/keyboard'
import { PushNotifications } from '@capacitor/push-notifications'
import { SplashScreen } from '@capacitor/splash-screen'
import { closeTopLayer, isLayerOpen } from '#app/navigation/back-closes-layers.ts'
import { goToTarget } from '#app/notifications/go-to-target.ts'
import type { PushData } from '#domain/push-target.ts'
import { followDeepLinks } from './deep-link.ts'
import { followTheme } from './status-bar.ts'

let started: Promise<void> | undefined

/** Connects the app to the phone, once, however often the app remounts. */
export function startNativeShell(): Promise<void> {
  return (started ??= start())
}

async function start() {
  tapOnSend()
  const parts = [
    openTappedNotifications(),
    followDeepLinks(),
    followBackButton(),
    followTheme(),
    keepFieldInSight(),
    SplashScreen.hide(),
  ]
  for (const part of await Promise.allSettled(parts)) {
    // A phone without one of them (iOS has no back button) still gets the others.
    if (part.status === 'rejected')
      console.warn('Part of the native shell failed to start', part.reason)
  }
}

const FIRST_PAGES = ['/', '/home']

/** Android's back button: closes an open overlay, else goes back, else moves the app to the background. */
async function followBackButton() {
  await App.addListener('backButton', ({ canGoBack }) => {
    if (isLayerOpen()) return closeTopLayer()
    if (canGoBack && !FIRST_PAGES.includes(location.pathname)) return history.back()
    App.minimizeApp().catch((error: unknown) => console.warn('Could not minimize the app', error))
  })
}

/** Keeps the focused field visible above the keyboard. */
async function keepFieldInSight() {
  await Keyboard.addListener('keyboardDidShow', () =>
    document.activeElement?.scrollIntoView({ block: 'nearest' }),
  )
}

/** Light haptic feedback when a message is sent. */
function tapOnSend() {
  window.addEventListener('message-sent', () => {
    Haptics.impact({ style: ImpactStyle.Light }).catch(() => undefined)
  })
}

/**
 * A tapped notification opens its chat or page; the tap that launched the app is delivered once a listener is
 * attached. A web address is opened from the notice itself, where the member can see it.
 */
async function openTappedNotifications() {
  await PushNotifications.addListener('pushNotificationActionPerformed', ({ notification }) =>
    goToTarget((notification.data ?? {}) as PushData),
  )
}
