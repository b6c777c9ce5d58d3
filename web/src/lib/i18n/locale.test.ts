import { expect, test, vi } from 'vitest'
import { messageOf } from '#lib/server/notify-error.ts'
import { unhandledRejectionsOf } from '../../../testing/unhandled-rejections.ts'
import { chooseLocale } from './locale.ts'

vi.mock('./server-words.ts', () => {
  throw new Error('the server is out of reach')
})

test('without its translations, what the server says stays English', async () => {
  expect(await unhandledRejectionsOf(() => chooseLocale('es'))).toEqual([])
  expect(messageOf(new Error('Invalid login credentials'))).toBe('Invalid login credentials')
  chooseLocale('en')
})
