import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aBrowser, ENDPOINT, PUSH_BACKEND } from '../../../testing/a-browser-with-push.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { ThisDevice } from './this-device.tsx'

// Each test's browser state must not leak into the next.
afterEach(() => void vi.unstubAllGlobals())

const draw = () => renderScreen({ path: '/notifications', screen: <ThisDevice /> })

test('turning push on registers this browser', async () => {
  aBrowser()
  const asked = fakeBackend(PUSH_BACKEND)
  draw()
  fireEvent.click(await screen.findByRole('button', { name: 'Turn on' }))
  await screen.findByText('Push notifications are on.')
  expect(asked.at(-1)?.body).toMatchObject({ token: ENDPOINT, platform: 'web', p256dh: 'p' })
})

test('a refused permission is a result, not an error', async () => {
  aBrowser({ answer: 'denied' })
  fakeBackend(PUSH_BACKEND)
  draw()
  fireEvent.click(await screen.findByRole('button', { name: 'Turn on' }))
  await screen.findByText(/Your browser blocks notifications/)
  expect(alert).not.toHaveBeenCalled()
})

test('turning push off unregisters this browser', async () => {
  aBrowser({ isSubscribed: true })
  const asked = fakeBackend(PUSH_BACKEND)
  draw()
  fireEvent.click(await screen.findByRole('button', { name: 'Turn off' }))
  await screen.findByText('Push notifications are off.')
  expect(asked.at(-1)).toMatchObject({
    path: '/rest/v1/rpc/remove_push_device',
    body: { token: ENDPOINT },
  })
})

test('if the team has no web push, nothing is offered', async () => {
  aBrowser()
  fakeBackend({ ...PUSH_BACKEND, 'POST /rest/v1/rpc/push_public_key': { body: null } })
  draw()
  await screen.findByText(/for browsers aren't set up/)
  expect(screen.queryByRole('button')).toBeNull()
})

test('a browser without push says so', async () => {
  fakeBackend(PUSH_BACKEND)
  draw()
  await screen.findByText(/This browser doesn't support push notifications/)
})

test('push comes back at the next sign-in only for a member who had it on in this browser', async () => {
  aBrowser({ permission: 'granted' })
  const asked = fakeBackend(PUSH_BACKEND)
  const { resumeBrowser } = await import('./browser-push.ts')
  const staying = new AbortController().signal
  await resumeBrowser('maya', staying)
  expect(asked).toEqual([])
  localStorage.setItem('push-on:maya', 'yes')
  await resumeBrowser('theo', staying)
  expect(asked).toEqual([])
  await resumeBrowser('maya', staying)
  expect(asked.at(-1)?.body).toMatchObject({ token: ENDPOINT, platform: 'web' })
})

test('a subscription for keys the server no longer has is replaced', async () => {
  const { pushManager, subscription } = aBrowser({ isSubscribed: true })
  const subscribe = vi
    .fn()
    .mockRejectedValueOnce(new Error('another key'))
    .mockResolvedValue(subscription)
  const unsubscribe = vi.spyOn(subscription, 'unsubscribe')
  Object.assign(pushManager, { subscribe })
  fakeBackend(PUSH_BACKEND)
  const { browserPush } = await import('./browser-push.ts')
  expect(await browserPush.switchOn('maya')).toMatchObject({ status: 'active' })
  expect(unsubscribe).toHaveBeenCalledTimes(1)
})

test('signing out right after a start unregisters what the start is still registering', async () => {
  aBrowser({ permission: 'granted', isSubscribed: true })
  localStorage.setItem('push-on:maya', 'yes')
  const order: string[] = []
  const slowly = async () => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    order.push('registered')
    return { body: 'd1' }
  }
  const remove = () => {
    order.push('removed')
    return {}
  }
  const asked = fakeBackend({
    ...PUSH_BACKEND,
    'POST /rest/v1/rpc/register_push_device': slowly,
    'POST /rest/v1/rpc/remove_push_device': remove,
  })
  const { leaveBrowser, resumeBrowser } = await import('./browser-push.ts')
  const resuming = resumeBrowser('maya', new AbortController().signal)
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  await leaveBrowser()
  await resuming
  expect(order).toEqual(['registered', 'removed'])
})

test("signing out ends this browser's subscription even if the server does not respond", async () => {
  const { subscription } = aBrowser({ isSubscribed: true })
  const unsubscribe = vi.spyOn(subscription, 'unsubscribe')
  const broken = { status: 503, body: { message: 'down' } }
  fakeBackend({ ...PUSH_BACKEND, 'POST /rest/v1/rpc/remove_push_device': broken })
  const { leaveBrowser } = await import('./browser-push.ts')
  await expect(leaveBrowser()).rejects.toThrow('down')
  expect(unsubscribe).toHaveBeenCalledTimes(1)
})
