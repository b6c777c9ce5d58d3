import { expect, test, vi } from 'vitest'
import { unhandledRejectionsOf } from '../../../testing/unhandled-rejections.ts'
import { preloadScreen } from './preload-screen.ts'

const load = vi.hoisted(() => vi.fn())
vi.mock('#features/content/schedule-screen.tsx', () => {
  load()
  throw new Error('the server is out of reach')
})

test('a screen that cannot be loaded ahead of time is no error yet', async () => {
  expect(await unhandledRejectionsOf(() => void preloadScreen('/schedule'))).toEqual([])
  expect(load).toHaveBeenCalled()
})
