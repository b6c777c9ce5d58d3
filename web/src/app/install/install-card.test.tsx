import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
})
afterEach(() => void vi.unstubAllGlobals())

async function draw(browser: object = {}) {
  vi.stubGlobal('navigator', { userAgent: 'A browser', maxTouchPoints: 0, ...browser })
  const { listenForInstallPrompt } = await import('./install-offer.ts')
  const { InstallCard } = await import('./install-card.tsx')
  listenForInstallPrompt()
  render(<InstallCard />)
}

function browserAllowsIt() {
  const prompt = vi.fn(() => Promise.resolve())
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
  act(() => void window.dispatchEvent(event))
  return { prompt, event }
}

test('nothing is offered where the browser does not allow installing', async () => {
  await draw()
  expect(document.body.textContent).toBe('')
})

test('where the browser allows it, the app offers it instead, and prompts on a tap', async () => {
  await draw()
  const { prompt, event } = browserAllowsIt()
  expect(event.defaultPrevented).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Install' }))
  expect(prompt).toHaveBeenCalledTimes(1)
  await vi.waitFor(() => expect(screen.queryByRole('button')).toBeNull())
})

test('a refusal is remembered', async () => {
  await draw()
  browserAllowsIt()
  fireEvent.click(screen.getByRole('button', { name: 'Not now' }))
  expect(screen.queryByRole('button')).toBeNull()
  browserAllowsIt()
  expect(screen.queryByRole('button')).toBeNull()
  expect(localStorage.getItem('install-dismissed')).not.toBeNull()
})

test('iOS Safari gets instructions, because it has no prompt and web push needs an installed app', async () => {
  await draw({ userAgent: IPHONE })
  expect(screen.getByText(/Add to Home Screen/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Install' })).toBeNull()
})

test.each([
  ['installed already', { userAgent: IPHONE, standalone: true }],
  ['Chrome on iOS', { userAgent: IPHONE.replace('Version/18.1', 'CriOS/130') }],
  ['a Mac', { userAgent: 'Mozilla/5.0 (Macintosh; …) Version/18.1 Safari/605.1.15' }],
])('no hint for %s', async (_name, browser) => {
  await draw(browser)
  expect(document.body.textContent).toBe('')
})
