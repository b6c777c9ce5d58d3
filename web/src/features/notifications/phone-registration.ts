// Shared by sign-in and the Notifications page: the phone's push permission and token.
import { Capacitor } from '@capacitor/core'
import { PushNotifications, type Channel } from '@capacitor/push-notifications'
import { callFunction } from '#data/call-function.ts'
import { m } from '#lib/messages/messages.js'

const RESPONDS_WITHIN_MS = 15_000

/**
 * Firebase crashes an Android app that registers without being set up, so such a build must not try. The
 * build knows whether google-services.json was present (vite.config.ts).
 */
export function canRegister(): boolean {
  return (
    Capacitor.getPlatform() !== 'android' || import.meta.env.VITE_HAS_GOOGLE_SERVICES === 'true'
  )
}

/** Asks for permission; a refusal is a result, not an error. Creates Android's notification channels first. */
export async function askPermission(): Promise<string> {
  const { receive } = await PushNotifications.requestPermissions()
  if (receive === 'granted' && Capacitor.getPlatform() === 'android')
    await Promise.all(channels().map((channel) => PushNotifications.createChannel(channel)))
  return receive
}

/** Registers with Apple or Google and waits for this phone's token. */
export async function askForToken(): Promise<string> {
  let giveUp: ReturnType<typeof setTimeout> | undefined
  const listeners: { remove(): Promise<void> }[] = []
  try {
    return await new Promise<string>((resolve, reject) => {
      giveUp = setTimeout(() => reject(new Error(m.notifications_no_answer())), RESPONDS_WITHIN_MS)
      listenOnce(listeners, resolve, reject)
        .then(() => PushNotifications.register())
        .catch(reject)
    })
  } finally {
    clearTimeout(giveUp)
    await Promise.all(listeners.map((listener) => listener.remove()))
  }
}

async function listenOnce(
  listeners: { remove(): Promise<void> }[],
  resolve: (token: string) => void,
  reject: (error: Error) => void,
) {
  listeners.push(
    await PushNotifications.addListener('registration', ({ value }) => resolve(value)),
    await PushNotifications.addListener('registrationError', ({ error }) =>
      reject(new Error(error)),
    ),
  )
}

/** Sends push for this session to the phone with this token from now on; returns the device's id. */
export function registerToken(token: string): Promise<string> {
  return callFunction('register_push_device', {
    token,
    platform: Capacitor.getPlatform(),
    label: navigator.userAgent.slice(0, 100),
  })
}

/** Unregisters the phone. Android without Firebase has no token, and must not try. */
export async function unregister(): Promise<void> {
  if (!canRegister()) return
  await PushNotifications.unregister().catch((error: unknown) =>
    console.warn('The phone keeps its push address', error),
  )
}

/** The channels Android lists in its settings; the sender names them (supabase/functions/push). */
function channels(): Channel[] {
  const HIGH = 4
  return [
    { id: 'chat', name: m.notifications_messages(), importance: HIGH, vibration: true },
    { id: 'notices', name: m.notifications_notices(), importance: HIGH, vibration: true },
  ]
}

/** Whether the member turned push off on this phone; a phone may have several members. */
const keyOf = (userId: string) => `push-off:${userId}`

export function isTurnedOff(userId: string): boolean {
  return localStorage.getItem(keyOf(userId)) !== null
}

export function rememberTurnedOff(userId: string, isOff: boolean): void {
  if (isOff) localStorage.setItem(keyOf(userId), 'yes')
  else localStorage.removeItem(keyOf(userId))
}
