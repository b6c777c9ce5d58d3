import { callFunction } from '#lib/call-function.ts'
import { isNativeShell } from '#lib/is-native-shell.ts'

/** Where push stands on this device. */
export type PushState =
  | { status: 'unsupported' }
  /** The installation sends no web push. */
  | { status: 'off' }
  | { status: 'denied' }
  | { status: 'inactive' }
  | { status: 'active'; deviceId: string; token: string }

/** Push as this device does it: through the phone's shell, or through the browser. */
export type DevicePush = {
  read(userId: string): Promise<PushState>
  /** Asks the person and registers. A refusal is no error: it is the answer. */
  switchOn(userId: string): Promise<PushState>
  switchOff(userId: string, token: string): Promise<void>
}

/** The browser's part stays out of the native apps, and theirs out of browsers. */
export async function devicePush(): Promise<DevicePush> {
  return isNativeShell()
    ? (await import('./phone-push.ts')).phonePush
    : (await import('./browser-push.ts')).browserPush
}

export async function sendTestPush(deviceId: string): Promise<void> {
  await callFunction('send_test_push', { device_id: deviceId })
}
