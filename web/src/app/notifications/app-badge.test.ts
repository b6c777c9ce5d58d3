import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startNativePhone } from '../../../testing/native-phone.ts'

beforeEach(() => void vi.resetModules())
afterEach(() => void vi.unstubAllGlobals())

test('in a browser the app icon shows the number, and none for 0', async () => {
  const [setAppBadge, clearAppBadge] = [vi.fn(async () => {}), vi.fn(async () => {})]
  vi.stubGlobal('navigator', { setAppBadge, clearAppBadge })
  const { showAppBadge } = await import('./use-app-badge.ts')
  await showAppBadge(3)
  expect(setAppBadge).toHaveBeenCalledWith(3)
  await showAppBadge(0)
  expect(clearAppBadge).toHaveBeenCalledTimes(1)
})

test('a browser without badges is not an error', async () => {
  vi.stubGlobal('navigator', {})
  const { showAppBadge } = await import('./use-app-badge.ts')
  await expect(showAppBadge(3)).resolves.toBeUndefined()
})

test('entering a chat dismisses its notifications in a browser', async () => {
  const close = vi.fn()
  const getNotifications = vi.fn(() => Promise.resolve([{ close }]))
  const getRegistration = () => Promise.resolve({ getNotifications })
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration } })
  const { dismissNotifications } = await import('./use-app-badge.ts')
  await dismissNotifications('c1')
  expect(getNotifications).toHaveBeenCalledWith({ tag: 'c1' })
  expect(close).toHaveBeenCalledTimes(1)
})

test("on a phone the icon badge and the chat's notifications work the same", async () => {
  const [ours, byData, other] = [
    { id: '1', tag: 'c1', data: {} },
    { id: '2', data: { chat_id: 'c1' } },
    { id: '3', tag: 'c2', data: {} },
  ]
  const phone = startNativePhone({
    'PushNotifications.getDeliveredNotifications': { notifications: [ours, byData, other] },
  })
  const { showAppBadge } = await import('./use-app-badge.ts')
  await showAppBadge(2)
  await showAppBadge(0)
  expect(phone.calledWith('Badge.set')).toEqual([{ count: 2 }])
  expect(phone.calledWith('Badge.clear')).toHaveLength(1)
  const { dismissNotifications } = await import('./use-app-badge.ts')
  await dismissNotifications('c1')
  expect(phone.calledWith('PushNotifications.removeDeliveredNotifications')).toEqual([
    { notifications: [ours, byData] },
  ])
})
