import { SplashScreen } from '@capacitor/splash-screen'
import { followBackButton } from './back-button.ts'
import { followDeepLinks } from './deep-link.ts'
import { openTappedNotifications } from './open-tapped-notification.ts'
import { followTheme } from './status-bar.ts'
import { keepFieldInSight, tapOnSend } from './touch-and-keyboard.ts'

let started: Promise<void> | undefined

/** Connects the app with the phone, once however often the app is drawn anew. */
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
    // A phone without one of them (iOS has no back button) still has the others.
    if (part.status === 'rejected') console.warn('A part of the native shell', part.reason)
  }
}
