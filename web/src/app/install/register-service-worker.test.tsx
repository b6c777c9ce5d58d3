import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
  vi.stubEnv('PROD', true)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

/** A browser with a service worker, in which a newer one can appear. */
async function start(controller: object | null) {
  const registration = Object.assign(new EventTarget(), {
    waiting: null as object | null,
    installing: null as EventTarget | null,
  })
  const container = Object.assign(new EventTarget(), {
    controller,
    register: () => Promise.resolve(registration),
  })
  vi.stubGlobal('navigator', { userAgent: 'A browser', serviceWorker: container })
  const { registerServiceWorker } = await import('./register-service-worker.ts')
  const { UpdateNotice } = await import('./update-notice.tsx')
  render(<UpdateNotice />)
  registerServiceWorker()
  window.dispatchEvent(new Event('load'))
  await Promise.resolve()
  return {
    container,
    async newVersion() {
      const worker = Object.assign(new EventTarget(), { postMessage: vi.fn() })
      registration.installing = worker
      await act(async () => registration.dispatchEvent(new Event('updatefound')))
      registration.waiting = worker
      await act(async () => worker.dispatchEvent(new Event('statechange')))
      return worker
    },
  }
}

test('a newer version is offered and activated when the member agrees', async () => {
  const { newVersion } = await start({})
  const worker = await newVersion()
  expect(screen.getByText('A new version is ready.')).toBeTruthy()
  expect(worker.postMessage).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Update' }))
  expect(worker.postMessage).toHaveBeenCalledWith({ type: 'SKIP_WAITING' })
})

test('the first visit offers no update: there is no older version to replace', async () => {
  const { newVersion } = await start(null)
  await newVersion()
  expect(screen.queryByText('A new version is ready.')).toBeNull()
})

test('a clicked notification about a chat raises navigate-to-chat', async () => {
  const { container } = await start({})
  const onNavigate = vi.fn()
  window.addEventListener(
    'navigate-to-chat',
    (event) => void onNavigate((event as CustomEvent).detail),
  )
  const data = { type: 'open-notification', data: { chat_id: 'c1' } }
  container.dispatchEvent(Object.assign(new Event('message'), { data }))
  expect(onNavigate).toHaveBeenCalledWith({ chatId: 'c1' })
})
