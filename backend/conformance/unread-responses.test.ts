// A client that asks and never reads keeps finished responses in the server's memory, but not without end.
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../src/gateway/limits.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'

const RESPONSE_BYTES = 7_000_000

let backend: TestBackend
const sockets: Socket[] = []

beforeAll(async () => {
  backend = await startTestBackend({
    sql: `create function public.large() returns text language sql stable
        as $$ select repeat('x', ${RESPONSE_BYTES}) $$;
      create function public.small() returns text language sql stable as $$ select 'small' $$;
      grant execute on all functions in schema public to anon;`,
  })
})
afterAll(async () => {
  sockets.forEach((socket) => socket.destroy())
  await backend.close()
})

test('one caller may leave a few responses unread; further ones are refused until they are read or given up', async () => {
  const allowed = Math.floor(LIMITS.unreadBytesPerCaller / RESPONSE_BYTES)
  for (let each = 0; each < allowed; each++) await askAndNeverRead()
  await expect.poll(() => statusOf('large')).toBe(429)
  expect(await statusOf('small')).toBe(200)
  sockets.forEach((socket) => socket.destroy())
  await expect.poll(() => statusOf('large')).toBe(200)
})

/** Resolves once the response begins, after which nothing is read. */
async function askAndNeverRead() {
  const { hostname, port } = new URL(backend.url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.write(
    `GET /rest/v1/rpc/large HTTP/1.1\r\nHost: ${hostname}\r\napikey: ${backend.publishableKey}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('readable', resolve))
}

async function statusOf(name: string): Promise<number> {
  const response = await fetch(`${backend.url}/rest/v1/rpc/${name}`, {
    headers: { apikey: backend.publishableKey },
  })
  await response.arrayBuffer()
  return response.status
}
