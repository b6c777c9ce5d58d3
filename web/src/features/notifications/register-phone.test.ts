import { expect, test, vi } from 'vitest'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { startNativePhone } from '../../../testing/native-phone.ts'

const TOKEN = 'fcm-token-of-this-phone'
const RESPONSES = {
  'PATCH /rest/v1/users?id=eq.maya': { body: [] },
  'POST /rest/v1/rpc/register_push_device': { body: 'd1' },
  'POST /rest/v1/rpc/remove_push_device': {},
  'POST /auth/v1/logout': {},
}

async function signInOn(
  receive: 'granted' | 'denied',
  changes: Record<string, object> = {},
  hasFirebase = 'true',
) {
  vi.resetModules()
  vi.stubEnv('VITE_HAS_GOOGLE_SERVICES', hasFirebase)
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  const phone = startNativePhone({ 'PushNotifications.requestPermissions': { receive } })
  const asked = fakeBackend({ ...RESPONSES, ...changes })
  const { connectSupabase } = await import('#lib/server/supabase-connection.ts')
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  const { registerPhone } = await import('./register-phone.ts')
  const stop = await registerPhone('maya')
  return { phone, asked, stop, session: await import('#data/session/session.ts') }
}

test('with permission the phone registers, and its token is stored on the member', async () => {
  const { phone, asked } = await signInOn('granted')
  expect(phone.calledWith('PushNotifications.register')).toHaveLength(1)
  phone.raise('PushNotifications.registration', { value: TOKEN })
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  expect(asked[0]).toMatchObject({ method: 'PATCH', body: { push_token: TOKEN } })
  // The phone goes with this session, also where an earlier one left the same token behind.
  expect(asked[1]).toMatchObject({ body: { token: TOKEN, platform: 'android' } })
})

test('Android lists messages and notices as separate channels', async () => {
  const { phone } = await signInOn('granted')
  expect(phone.calledWith('PushNotifications.createChannel')).toMatchObject([
    { id: 'chat' },
    { id: 'notices' },
  ])
})

test('a refused permission is only logged', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { phone, asked } = await signInOn('denied')
  expect(phone.calledWith('PushNotifications.register')).toEqual([])
  expect(warned).toHaveBeenCalledWith('Push notifications are not allowed:', 'denied')
  expect(asked).toEqual([])
  expect(alert).not.toHaveBeenCalled()
})

test('a failed registration is only logged', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { phone, asked } = await signInOn('granted')
  phone.raise('PushNotifications.registrationError', { error: 'no Play services' })
  expect(logged).toHaveBeenCalledWith('Push was not registered', 'no Play services')
  expect(asked).toEqual([])
  expect(alert).not.toHaveBeenCalled()
})

test('a token that cannot be stored is only logged', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { phone } = await signInOn('granted', {
    'PATCH /rest/v1/users?id=eq.maya': { status: 500, body: { code: 'XX000', message: 'broken' } },
  })
  phone.raise('PushNotifications.registration', { value: TOKEN })
  await vi.waitFor(() => expect(logged).toHaveBeenCalled())
  expect(alert).not.toHaveBeenCalled()
})

test('signing out unregisters this phone while the session is still valid', async () => {
  const { phone, asked, session } = await signInOn('granted')
  phone.raise('PushNotifications.registration', { value: TOKEN })
  await session.signOut('local')
  const order = asked.map(({ path }) => path.split('?')[0])
  expect(order).toEqual([
    '/rest/v1/users',
    '/rest/v1/rpc/register_push_device',
    '/rest/v1/rpc/remove_push_device',
    '/auth/v1/logout',
  ])
  expect(asked[2]?.body).toEqual({ token: TOKEN })
})

test('a token that arrives after signing out is not stored', async () => {
  const { phone, asked, session } = await signInOn('granted')
  await session.signOut('local')
  phone.raise('PushNotifications.registration', { value: TOKEN })
  expect(asked.map(({ path }) => path.split('?')[0])).toEqual(['/auth/v1/logout'])
})

test('an Android app built without google-services.json does not register, because Firebase would crash it', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { phone, asked } = await signInOn('granted', {}, 'false')
  expect(phone.calledWith('PushNotifications.register')).toEqual([])
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('google-services.json'))
  expect(asked).toEqual([])
})

test('a member who turned push off on this phone is not registered again at the next start', async () => {
  localStorage.setItem('push-off:maya', 'yes')
  const { phone } = await signInOn('granted')
  expect(phone.calledWith('PushNotifications.requestPermissions')).toEqual([])
  expect(phone.calledWith('PushNotifications.register')).toEqual([])
})

test.each(['local', 'global'] as const)(
  "signing out (%s) drops this phone's push token even if the server does not respond",
  async (scope) => {
    const broken = { status: 503, body: { message: 'down' } }
    const { phone, session } = await signInOn('granted', {
      'POST /rest/v1/rpc/remove_push_device': broken,
    })
    phone.raise('PushNotifications.registration', { value: TOKEN })
    await session.signOut(scope)
    expect(phone.calledWith('PushNotifications.unregister')).toHaveLength(1)
  },
)
