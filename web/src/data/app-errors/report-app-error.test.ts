// What leaves the device when the app fails: nothing that anybody wrote, and not who uses it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callFunction } from '#data/call-function.ts'
import { describeAppError } from './report-app-error.ts'

vi.mock(import('#data/call-function.ts'), () => ({ callFunction: vi.fn() }))
vi.mock(import('#data/session/stored-session.ts'), async (original) => ({
  ...(await original()),
  storedSession: vi.fn(() => ({}) as never),
}))
const sent = vi.mocked(callFunction)

const ANDROID =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

beforeEach(() => {
  vi.resetModules()
  sent.mockReset()
  sent.mockResolvedValue(undefined)
})
afterEach(() => {
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

function onA(userAgent: string) {
  vi.stubGlobal('navigator', { userAgent, onLine: true })
}

const site = location.origin
const CHROME_STACK = [
  'TypeError: Cannot read properties of undefined (reading "Policy 4711 of Ann")',
  `    at Thread (${site}/assets/thread-B2x_1.js:1:4711)`,
  `    at async send (${site}/assets/outbox-C3.js?v=1:20:3)`,
  '    at chrome-extension://abc/inject.js:1:1',
  '    at https://elsewhere.example/assets/other.js:1:1',
].join('\n')
const SAFARI_STACK = `draw@${site}/assets/thread-B2x_1.js:1:4711\n@${site}/assets/index-A.js:2:1`

function failure(stack: string, name = 'TypeError') {
  const error = new Error('Policy 4711 of Ann')
  return Object.assign(error, { name, stack })
}

test('a report names the kind, places in the app’s own files, the screen and the browser, and no text', () => {
  onA(ANDROID)
  history.replaceState(null, '', '/chat/0b5c6f0e-7f4c-4b43-9a39-0a4f4b8d9a10?message=1#a')
  expect(describeAppError(failure(CHROME_STACK))).toEqual({
    kind: 'TypeError',
    places: ['thread-B2x_1.js:1:4711', 'outbox-C3.js:20:3'],
    screen: '/chat/:id',
    browser: 'Chrome 131 on Android',
  })
  onA(IPHONE)
  history.replaceState(null, '', '/admin/members')
  expect(describeAppError(failure(SAFARI_STACK, 'Ann’s error'))).toEqual({
    kind: 'Error',
    places: ['thread-B2x_1.js:1:4711', 'index-A.js:2:1'],
    screen: '/admin/members',
    browser: 'Safari 18 on iOS',
  })
})

test.each([
  ['/', '/'],
  ['/home', '/home'],
  ['/join/abcdefghijkl', '/join/:id'],
  ['/Ann%20Ortiz', '/:id'],
])('the address %s is the screen %s', (path, screen) => {
  history.replaceState(null, '', path)
  expect(describeAppError(failure(SAFARI_STACK))?.screen).toBe(screen)
})

test.each([
  ['a lost connection', Object.assign(new TypeError('Failed to fetch'), { stack: SAFARI_STACK })],
  ['a canceled request', failure(SAFARI_STACK, 'AbortError')],
  ['an extension', failure('x@chrome-extension://abc/inject.js:1:1')],
  ['what is no error', 'text'],
  ['the server’s response', { code: '42501', message: 'Refused' }],
])('%s is not reported', (_what, thrown) => {
  expect(describeAppError(thrown)).toBeNull()
})

test('the same error is reported once, and ten of one page at most', async () => {
  onA(ANDROID)
  const { reportAppError } = await import('./report-app-error.ts')
  for (let index = 0; index < 12; index++) {
    const error = failure(`a@${site}/assets/index-A.js:1:${index}`)
    await reportAppError(error)
    await reportAppError(error)
  }
  expect(sent).toHaveBeenCalledTimes(10)
})

test('a report that fails is nobody’s business, and without a session or a connection there is none', async () => {
  onA(ANDROID)
  const { reportAppError } = await import('./report-app-error.ts')
  sent.mockRejectedValueOnce(new Error('down'))
  await reportAppError(failure(SAFARI_STACK))
  expect(sent).toHaveBeenCalledTimes(1)
  vi.stubGlobal('navigator', { userAgent: ANDROID, onLine: false })
  await reportAppError(failure(CHROME_STACK))
  const { storedSession } = await import('#data/session/stored-session.ts')
  onA(ANDROID)
  vi.mocked(storedSession).mockReturnValueOnce(null)
  await reportAppError(failure(CHROME_STACK))
  expect(sent).toHaveBeenCalledTimes(1)
})
