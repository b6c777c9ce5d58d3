// Web push on this browser: permission, subscription, and telling the server of it.
import { callFunction } from '#lib/call-function.ts'

export type PushState =
  | { status: 'unsupported' }
  /** The installation sends no web push. */
  | { status: 'off' }
  | { status: 'denied' }
  | { status: 'inactive' }
  | { status: 'active'; deviceId: string }

/** Where this browser stands. Registering again is harmless and tells the id of this device. */
export async function readPushState(): Promise<PushState> {
  if (!isSupported()) return { status: 'unsupported' }
  if (Notification.permission === 'denied') return { status: 'denied' }
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  if (!subscription) return { status: (await publicKey()) ? 'inactive' : 'off' }
  return { status: 'active', deviceId: await register(subscription) }
}

/** Asks the person and registers this browser. A refusal is no error: it is the answer. */
export async function switchPushOn(): Promise<PushState> {
  const key = await publicKey()
  if (!key) return { status: 'off' }
  if ((await Notification.requestPermission()) !== 'granted') return { status: 'denied' }
  const registration = await navigator.serviceWorker.ready
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  })
  return { status: 'active', deviceId: await register(subscription) }
}

/** No more push on this browser: at the member's wish, or when they sign out. */
export async function switchPushOff(): Promise<void> {
  if (!isSupported()) return
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  if (!subscription) return
  await callFunction('remove_push_device', { token: subscription.endpoint })
  await subscription.unsubscribe()
}

export async function sendTestPush(deviceId: string): Promise<void> {
  await callFunction('send_test_push', { device_id: deviceId })
}

function isSupported() {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

function publicKey(): Promise<string | null> {
  return callFunction('push_public_key')
}

function register(subscription: PushSubscription): Promise<string> {
  const { endpoint, keys } = subscription.toJSON()
  return callFunction('register_push_device', {
    token: endpoint,
    platform: 'web',
    p256dh: keys?.p256dh,
    auth: keys?.auth,
    label: navigator.userAgent.slice(0, 100),
  })
}
