// Push on this phone, through the native shell, as the Notifications page shows and changes it.
import { PushNotifications } from '@capacitor/push-notifications'
import { callFunction } from '#data/call-function.ts'
import {
  askForToken,
  askPermission,
  canRegister,
  isTurnedOff,
  registerToken,
  rememberTurnedOff,
  unregister,
} from './phone-registration.ts'
import type { DevicePush, PushState } from './push-state.ts'

export const phonePush: DevicePush = { read, switchOn, switchOff }

async function read(userId: string): Promise<PushState> {
  if (!canRegister()) return { status: 'unsupported' }
  const { receive } = await PushNotifications.checkPermissions()
  if (receive === 'denied') return { status: 'denied' }
  if (receive !== 'granted' || isTurnedOff(userId)) return { status: 'inactive' }
  return register()
}

async function switchOn(userId: string): Promise<PushState> {
  if ((await askPermission()) !== 'granted') return { status: 'denied' }
  const state = await register()
  rememberTurnedOff(userId, false)
  return state
}

/** Remembered, because the next start would register this phone again. */
async function switchOff(userId: string, token: string): Promise<void> {
  await callFunction('remove_push_device', { token })
  rememberTurnedOff(userId, true)
  await unregister()
}

/** Registering again is harmless and returns this phone's id. */
async function register(): Promise<PushState> {
  const token = await askForToken()
  return { status: 'active', deviceId: await registerToken(token), token }
}
