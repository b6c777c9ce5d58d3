import { connect } from 'node:net'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { freePort } from '#postgres/free-port.ts'
import { limitBodyTime, httpBounds } from './http-bounds.ts'
import { LIMITS } from './limits.ts'

test('a request whose body trickles in is cut off; a normal one is not', async () => {
  const app = fastify(httpBounds)
  limitBodyTime(app, 300)
  app.post('/', () => 'done')
  const port = await freePort()
  await app.listen({ port, host: '127.0.0.1' })
  try {
    const slow = connect(port, '127.0.0.1')
    slow.on('error', () => undefined)
    slow.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n',
    )
    const drip = setInterval(() => slow.write('x'), 50)
    await new Promise((resolve) => slow.on('close', resolve))
    clearInterval(drip)
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' })
    expect(await response.text()).toBe('done')
  } finally {
    await app.close()
  }
})

test('the size of URL and headers and all timeouts are limited', async () => {
  const app = fastify(httpBounds)
  app.get('/', () => 'done')
  const port = await freePort()
  await app.listen({ port, host: '127.0.0.1' })
  try {
    const long = await fetch(`http://127.0.0.1:${port}/?${'x'.repeat(LIMITS.headerBytes)}`)
    expect(long.status).toBe(431)
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = app.server
    expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout }).toEqual({
      headersTimeout: LIMITS.headersMs,
      requestTimeout: LIMITS.uploadMs,
      timeout: LIMITS.silenceMs,
      keepAliveTimeout: LIMITS.keepAliveMs,
    })
  } finally {
    await app.close()
  }
})
