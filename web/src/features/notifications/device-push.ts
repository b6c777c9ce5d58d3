import { callFunction } from '#data/call-function.ts'
import { isNativeShell } from '#lib/native/is-native-shell.ts'
import type { DevicePush } from './push-state.ts'

/** Keeps the browser implementation out of the native apps, and the other way round. */
export async function devicePush(): Promise<DevicePush> {
  return isNativeShell()
    ? (await import('./phone-push.ts')).phonePush
    : (await import('./browser-push.ts')).browserPush
}

export async function sendTestPush(deviceId: string): Promise<void> {
  await callFunction('send_test_push', { device_id: deviceId })
}
