import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { startNativePhone } from '../../../testing/native-phone.ts'

const TOKEN = 'fcm-token-of-this-phone'
const BACKEND = {
  'POST /rest/v1/rpc/register_push_device': { body: 'd1' },
  'POST /rest/v1/rpc/remove_push_device': {},
  'POST /rest/v1/rpc/send_test_push': {},
}

/** The page in a native app on a phone with the given permission and token. */
async function drawOnPhone({ receive = 'granted', answer = 'granted', hasFirebase = 'true' } = {}) {
  vi.resetModules()
  vi.stubEnv('VITE_HAS_GOOGLE_SERVICES', hasFirebase)
  const phone = startNativePhone({
    'PushNotifications.checkPermissions': { receive },
    'PushNotifications.requestPermissions': { receive: answer },
    'PushNotifications.register': () => {
      phone.raise('PushNotifications.registration', { value: TOKEN })
    },
  })
  const asked = fakeBackend(BACKEND)
  const { connectSupabase } = await import('#lib/server/supabase-connection.ts')
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  const { renderScreen } = await import('../../../testing/draw-screen.tsx')
  const { ThisDevice } = await import('./this-device.tsx')
  renderScreen({ path: '/notifications', screen: <ThisDevice /> })
  const calls = () => asked.map(({ path, body }) => ({ call: path.split('/').at(-1), ...body }))
  return { phone, calls }
}

const turnOn = async () => fireEvent.click(await screen.findByRole('button', { name: 'Turn on' }))

test('a phone with permission shows push as on and can send itself a test', async () => {
  const { calls } = await drawOnPhone()
  await screen.findByText('Push notifications are on.')
  fireEvent.click(screen.getByRole('button', { name: 'Send test' }))
  await vi.waitFor(() => expect(calls()).toHaveLength(2))
  expect(calls()).toMatchObject([
    { call: 'register_push_device', token: TOKEN, platform: 'android' },
    { call: 'send_test_push', device_id: 'd1' },
  ])
})

test('turning push off unregisters this phone and is remembered; turning it on registers it', async () => {
  const { phone, calls } = await drawOnPhone()
  fireEvent.click(await screen.findByRole('button', { name: 'Turn off' }))
  await screen.findByText('Push notifications are off.')
  expect(calls().at(-1)).toEqual({ call: 'remove_push_device', token: TOKEN })
  expect(phone.calledWith('PushNotifications.unregister')).toHaveLength(1)
  expect(Object.keys(localStorage)).toContainEqual(expect.stringMatching(/^push-off:/))

  await turnOn()
  await screen.findByText('Push notifications are on.')
  expect(Object.keys(localStorage).filter((key) => key.startsWith('push-off:'))).toEqual([])
})

test('a phone that was not asked yet is asked when push is turned on', async () => {
  const { calls } = await drawOnPhone({ receive: 'prompt' })
  await turnOn()
  await screen.findByText('Push notifications are on.')
  expect(calls()).toMatchObject([{ call: 'register_push_device' }])
})

test('a refusal on the phone points to its settings, without an alert', async () => {
  await drawOnPhone({ receive: 'prompt', answer: 'denied' })
  await turnOn()
  await screen.findByText(/Allow them in your phone's settings/)
  expect(alert).not.toHaveBeenCalled()
})

test('an app built without push says so and offers nothing', async () => {
  await drawOnPhone({ hasFirebase: 'false' })
  await screen.findByText("This version of the app doesn't support push notifications.")
  expect(screen.queryByRole('button')).toBeNull()
})
