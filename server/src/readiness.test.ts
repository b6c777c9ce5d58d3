import { fastify } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NOTICE_MS, serveReadiness } from './readiness.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function aProcess() {
  const app = fastify()
  const database = { ping: () => Promise.resolve() }
  const readiness = serveReadiness({ app, database })
  const look = async () => (await app.inject('/ready')).json<{ status: string }>().status
  return { look, readiness }
}

test('a drain waits for a load balancer, which looks again and again', async () => {
  const { look, readiness } = aProcess()
  expect(await look()).toBe('ready')
  vi.advanceTimersByTime(15_000)
  expect(await look()).toBe('ready')
  expect(readiness.startDraining()).toBe(NOTICE_MS)
  expect(await look()).toBe('draining')
})

test('a drain does not wait for somebody who looked once, or long ago', async () => {
  const once = aProcess()
  await once.look()
  expect(once.readiness.startDraining()).toBe(0)
  const longAgo = aProcess()
  await longAgo.look()
  await longAgo.look()
  vi.advanceTimersByTime(31_000)
  expect(longAgo.readiness.startDraining()).toBe(0)
})
