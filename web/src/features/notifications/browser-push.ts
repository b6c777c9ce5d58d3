// Web push on this browser: permission, subscription, and telling the server of it.
import { callFunction } from '#lib/call-function.ts'
import type { DevicePush, PushState } from './push-state.ts'

export const browserPush: DevicePush = { read, switchOn, switchOff: forgetBrowser }

/** Registering again is harmless and tells the id of this device. */
async function read(): Promise<PushState> {
  if (!isSupported()) return { status: 'unsupported' }
  if (Notification.permission === 'denied') return { status: 'denied' }
  const subscription = await currentSubscription()
  if (!subscription) return { status: (await publicKey()) ? 'inactive' : 'off' }
  return register(subscription)
}

async function switchOn(): Promise<PushState> {
  const key = await publicKey()
  if (!key) return { status: 'off' }
  if ((await Notification.requestPermission()) !== 'granted') return { status: 'denied' }
  const registration = await navigator.serviceWorker.ready
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  })
  return register(subscription)
}

/** When the member signs out here, everywhere, or everywhere else. */
export async function leaveBrowser(scope: 'local' | 'global' | 'others'): Promise<void> {
  if (scope === 'others') {
    const subscription = await currentSubscription()
    return callFunction('forget_push_devices', { except_token: subscription?.endpoint ?? null })
  }
  await forgetBrowser()
  if (scope === 'global') await callFunction('forget_push_devices')
}

async function forgetBrowser(): Promise<void> {
  const subscription = await currentSubscription()
  if (!subscription) return
  await callFunction('remove_push_device', { token: subscription.endpoint })
  await subscription.unsubscribe()
}

function isSupported() {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

async function currentSubscription() {
  if (!isSupported()) return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

function publicKey(): Promise<string | null> {
  return callFunction('push_public_key')
}

async function register(subscription: PushSubscription): Promise<PushState> {
  const { endpoint, keys } = subscription.toJSON()
  const deviceId = await callFunction<string>('register_push_device', {
    token: endpoint,
    platform: 'web',
    p256dh: keys?.p256dh,
    auth: keys?.auth,
    label: navigator.userAgent.slice(0, 100),
  })
  return { status: 'active', deviceId, token: subscription.endpoint }
}
