import { afterEach, expect, test, vi } from 'vitest'
import { messageOf, ServerRefusal } from './notify-error.ts'

afterEach(() => void vi.restoreAllMocks())

const LOST = [
  new TypeError('Failed to fetch'),
  { message: 'TypeError: Failed to fetch', code: '' },
  { message: 'NetworkError when attempting to fetch resource.' },
  { message: 'Load failed' },
  new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/a.js'),
  new TypeError('error loading dynamically imported module: http://localhost/assets/a.js'),
  new TypeError('Importing a module script failed.'),
  new ServerRefusal('Bad Gateway', 502),
]

test.each(LOST)('a lost connection is named in plain words: %s', (error) => {
  expect(messageOf(error)).toBe('The server did not answer.')
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  expect(messageOf(error)).toBe('You are offline.')
})

test('a refusal keeps the server’s words', () => {
  expect(messageOf({ message: 'Invalid login credentials', status: 400 })).toBe(
    'Invalid login credentials',
  )
})
