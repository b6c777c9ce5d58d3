import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTestBackend } from '../testing/start-test-backend.ts'

test('the backend stops within five seconds and notifies open sockets', async () => {
  const backend = await startTestBackend()
  const address = `${backend.url.replace('http', 'ws')}/realtime/v1/websocket`
  const socket = new WebSocket(`${address}?apikey=${backend.publishableKey}&vsn=2.0.0`)
  await once(socket, 'open')
  const disconnected = once(socket, 'close')
  const started = performance.now()
  await backend.close()
  expect(performance.now() - started).toBeLessThan(5000)
  expect((await disconnected)[0]).toBe(1001)
})
