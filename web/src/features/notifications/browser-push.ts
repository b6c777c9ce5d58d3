// Web push in this browser: permission, subscription and registration with the server.
import { callFunction } from '#data/call-function.ts'
import type { DevicePush, PushState } from './push-state.ts'

export const browserPush: DevicePush = { read, switchOn, switchOff }

/** Registering again is harmless and returns this device's id. */
async function read(): Promise<PushState> {
  if (!isSupported()) return { status: 'unsupported' }
  if (Notification.permission === 'denied') return { status: 'denied' }
  const subscription = await currentSubscription()
  if (!subscription) return { status: (await publicKey()) ? 'inactive' : 'off' }
  return register(subscription)
}

async function switchOn(userId: string): Promise<PushState> {
  const key = await publicKey()
  if (!key) return { status: 'off' }
  if ((await Notification.requestPermission()) !== 'granted') return { status: 'denied' }
  const state = await register(await subscribe(key))
  localStorage.setItem(turnedOn(userId), 'yes')
  return state
}

async function switchOff(userId: string): Promise<void> {
  localStorage.removeItem(turnedOn(userId))
  await forgetBrowser()
}

/**
 * Restores push at sign-in if this member had it on here, and on start after the browser ended the
 * subscription.
 */
export async function resumeBrowser(userId: string, leaving: AbortSignal): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted') return
  if (localStorage.getItem(turnedOn(userId)) === null) return
  const key = await publicKey()
  if (!key || leaving.aborted) return
  const subscription = await subscribe(key)
  if (leaving.aborted) return
  resuming = register(subscription)
  await resuming
}

/**
 * A sign-out right after a start waits for this; otherwise it would reach the server after the device was
 * unregistered.
 */
let resuming: Promise<unknown> = Promise.resolve()

/** Signing out unregisters push but keeps the member's choice. */
const turnedOn = (userId: string) => `push-on:${userId}`

async function subscribe(key: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: key }
  try {
    return await pushManager.subscribe(options)
  } catch (error) {
    // A subscription for keys the server no longer has blocks a new one.
    const old = await pushManager.getSubscription()
    if (!old) throw error
    await old.unsubscribe()
    return pushManager.subscribe(options)
  }
}

/** When the member signs out here. The devices of other sessions go with those. */
export async function leaveBrowser(): Promise<void> {
  await resuming.catch(() => undefined)
  await forgetBrowser()
}

/** Unsubscribe whatever the server says: without a subscription no notification can arrive here. */
async function forgetBrowser(): Promise<void> {
  const subscription = await currentSubscription()
  if (!subscription) return
  try {
    await callFunction('remove_push_device', { token: subscription.endpoint })
  } finally {
    await subscription.unsubscribe()
  }
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
  const { keys } = subscription.toJSON()
  const deviceId = await callFunction('register_push_device', {
    token: subscription.endpoint,
    platform: 'web',
    p256dh: keys?.p256dh,
    auth: keys?.auth,
    label: navigator.userAgent.slice(0, 100),
  })
  return { status: 'active', deviceId, token: subscription.endpoint }
}
