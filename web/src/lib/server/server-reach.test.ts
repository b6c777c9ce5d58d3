import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { doubtServer, learnReach, noteResponse, onServerBack, useReach } from './server-reach.ts'
import { connectSupabase } from './supabase-connection.ts'

const HEALTH = 'GET /auth/v1/health'
const lost = () => Promise.reject(new TypeError('Failed to fetch'))

beforeEach(() => {
  vi.useFakeTimers()
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
})
afterEach(() => {
  noteResponse()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const reach = () => renderHook(() => useReach()).result

test('a request that is lost once says nothing of the server', async () => {
  const calls = fakeBackend({ [HEALTH]: {} })
  const shown = reach()
  await expect(learnReach(lost())).rejects.toThrow('Failed to fetch')
  await pass(60_000)
  expect(calls).toHaveLength(1)
  expect(shown.current).toBe('online')
})

test.each([
  ['loses connections', lost],
  ['responds through a proxy alone', () => ({ status: 502 })],
])('a server that %s is one that does not respond, until it does', async (_which, respond) => {
  let isUp = false
  fakeBackend({ [HEALTH]: () => (isUp ? {} : respond()) })
  const shown = reach()
  const onBack = vi.fn()
  onServerBack(onBack)
  doubtServer()
  await pass(1_900)
  expect(shown.current).toBe('online')
  await pass(200)
  expect(shown.current).toBe('no-response')
  expect(onBack).not.toHaveBeenCalled()
  isUp = true
  await pass(20_000)
  expect(shown.current).toBe('online')
  expect(onBack).toHaveBeenCalledTimes(1)
})

test('any response will do, also a refusal', async () => {
  const calls = fakeBackend({ [HEALTH]: lost })
  const shown = reach()
  doubtServer()
  await pass(2_000)
  expect(shown.current).toBe('no-response')
  await act(() => learnReach(Promise.resolve(new Response(null, { status: 403 }))))
  expect(shown.current).toBe('online')
  await pass(60_000)
  expect(calls).toHaveLength(1)
})

test('without a connection it is the device, and nothing is asked', async () => {
  const calls = fakeBackend({ [HEALTH]: lost })
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const shown = reach()
  doubtServer()
  await pass(60_000)
  expect(shown.current).toBe('offline')
  expect(calls).toEqual([])
  onLine.mockReturnValue(true)
  await pass(20_000)
  act(() => void window.dispatchEvent(new Event('online')))
  expect(shown.current).toBe('no-response')
})

test('a tab that nobody looks at asks nothing', async () => {
  const calls = fakeBackend({ [HEALTH]: lost })
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  doubtServer()
  await pass(60_000)
  expect(calls).toEqual([])
})
