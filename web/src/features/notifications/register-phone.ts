import { PushNotifications } from '@capacitor/push-notifications'
import { callFunction } from '#data/call-function.ts'
import { beforeSignOut } from '#data/session/session.ts'
import { database } from '#data/supabase.ts'
import {
  askPermission,
  canRegister,
  isTurnedOff,
  registerToken,
  unregister,
} from './phone-registration.ts'

/**
 * At sign-in: asks for permission, registers this phone and stores its token on the member's row, unless the
 * member turned push off here. Returns a stop function.
 */
export async function registerPhone(userId: string): Promise<() => Promise<void>> {
  let token: string | undefined
  let isLeaving = false
  /** A sign-out waits for this; otherwise it would reach the server after the phone was unregistered. */
  let storing: Promise<unknown> = Promise.resolve()
  const listeners = await Promise.all([
    PushNotifications.addListener('registration', ({ value }) => {
      if (isLeaving) return
      token = value
      storing = storeToken(userId, value).catch((error: unknown) =>
        console.error('The push token was not stored', error),
      )
    }),
    PushNotifications.addListener('registrationError', ({ error }) =>
      console.error('Push was not registered', error),
    ),
  ])
  const forget = beforeSignOut(async (scope) => {
    // The devices of the other sessions go with them.
    if (scope === 'others') return
    isLeaving = true
    await storing
    try {
      // Sets users.push_token to null if it is this phone's. A phone registered later is kept.
      if (token) await callFunction('remove_push_device', { token })
    } finally {
      // Whatever the server says: an unregistered token receives nothing.
      await unregister()
    }
  })
  if (!isTurnedOff(userId)) await askAndRegister()
  return async () => {
    isLeaving = true
    forget()
    await Promise.all(listeners.map((listener) => listener.remove()))
  }
}

async function askAndRegister() {
  if (!canRegister())
    return console.warn('Push notifications need google-services.json; see docs/native.md')
  const receive = await askPermission()
  if (receive !== 'granted') return console.warn('Push notifications are not allowed:', receive)
  await PushNotifications.register()
}

async function storeToken(userId: string, token: string) {
  await database.from('users').update({ push_token: token }).eq('id', userId).throwOnError()
  // The phone may still belong to an earlier session, which the same token does not change.
  await registerToken(token)
}
