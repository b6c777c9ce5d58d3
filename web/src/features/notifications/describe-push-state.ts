import { isNativeShell } from '#lib/is-native-shell.ts'
import { m } from '#lib/messages/messages.js'
import type { PushState } from './push-state.ts'

/** What the member is told of push on this device, and what they can do about it. */
export function describePushState(state: PushState | undefined): string {
  const isPhone = isNativeShell()
  switch (state?.status) {
    case 'active':
      return m.notifications_device_on()
    case 'inactive':
      return m.notifications_device_off()
    case 'denied':
      return isPhone ? m.notifications_phone_denied() : m.notifications_device_denied()
    case 'off':
      return m.notifications_device_no_channel()
    case 'unsupported':
      return isPhone ? m.notifications_phone_unsupported() : m.notifications_device_unsupported()
    case undefined:
      return m.notifications_device_checking()
  }
}
