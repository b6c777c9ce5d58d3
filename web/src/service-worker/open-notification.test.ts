import { expect, test, vi } from 'vitest'
import { openNotification } from './open-notification.ts'

type Window = {
  url: string
  focus: () => Promise<unknown>
  postMessage: (message: unknown) => void
}

function aWorker(windows: Window[]) {
  const openWindow = vi.fn(() => Promise.resolve(null))
  const clients = { matchAll: () => Promise.resolve(windows), openWindow }
  return { worker: { clients } as unknown as ServiceWorkerGlobalScope, openWindow }
}

function aWindow(path: string, focus: () => Promise<unknown> = () => Promise.resolve()) {
  return { url: `https://team.example${path}`, focus, postMessage: vi.fn() }
}

const data = { chat_id: 'c1' }

test('an open window is focused and navigated', async () => {
  const window = aWindow('/home')
  const { worker, openWindow } = aWorker([window])
  await openNotification(worker, data)
  expect(window.postMessage).toHaveBeenCalledWith({ type: 'open-notification', data })
  expect(openWindow).not.toHaveBeenCalled()
})

test('a window that the browser will not focus is navigated anyway', async () => {
  const window = aWindow('/home', () => Promise.reject(new Error('Not allowed to focus')))
  await openNotification(aWorker([window]).worker, data)
  expect(window.postMessage).toHaveBeenCalledTimes(1)
})

test('a window that shows the mailbox is not the app', async () => {
  const mailbox = aWindow('/_mail')
  const { worker, openWindow } = aWorker([mailbox])
  await openNotification(worker, data)
  expect(mailbox.postMessage).not.toHaveBeenCalled()
  expect(openWindow).toHaveBeenCalledWith('/chat/c1')
})

test('without an open window, one is opened at the target', async () => {
  const { worker, openWindow } = aWorker([])
  await openNotification(worker, { notice_id: 'n1' })
  expect(openWindow).toHaveBeenCalledWith('/notifications?notice=n1')
})
