import { Capacitor } from '@capacitor/core'
import { PushNotifications, type Channel } from '@capacitor/push-notifications'
import { m } from '#lib/messages/messages.js'
import { beforeSignOut } from '#lib/session.ts'
import { database } from '#lib/supabase.ts'

/** Asks for permission, registers this phone and keeps its token on the member's row. Returns how to stop. */
export async function registerForPush(userId: string): Promise<() => Promise<void>> {
  let token: string | undefined
  let isLeaving = false
  const listeners = await Promise.all([
    PushNotifications.addListener('registration', ({ value }) => {
      if (isLeaving) return
      token = value
      storeToken(userId, value).catch((error: unknown) =>
        console.error('The push token was not stored', error),
      )
    }),
    PushNotifications.addListener('registrationError', ({ error }) =>
      console.error('Push was not registered', error),
    ),
  ])
  const forget = beforeSignOut(async () => {
    isLeaving = true
    if (token) await removeThisPhone(token)
  })
  await askAndRegister()
  return async () => {
    isLeaving = true
    forget()
    await Promise.all(listeners.map((listener) => listener.remove()))
  }
}

async function askAndRegister() {
  const { receive } = await PushNotifications.requestPermissions()
  if (receive !== 'granted') return console.warn('Push notifications are not allowed:', receive)
  if (Capacitor.getPlatform() === 'android') await Promise.all(channels().map(createChannel))
  await PushNotifications.register()
}

async function storeToken(userId: string, token: string) {
  await database.from('users').update({ push_token: token }).eq('id', userId).throwOnError()
}

// Sets users.push_token to null when it is this phone's. Another phone of the member, registered later, stays.
async function removeThisPhone(token: string) {
  await database.rpc('remove_push_device', { token }).throwOnError()
}

/** The kinds of notification Android lists in its settings; the sender names them (supabase/functions/push). */
function channels(): Channel[] {
  const HIGH = 4
  return [
    { id: 'chat', name: m.notifications_messages(), importance: HIGH, vibration: true },
    { id: 'notices', name: m.notifications_notices(), importance: HIGH, vibration: true },
  ]
}

function createChannel(channel: Channel) {
  return PushNotifications.createChannel(channel)
}
