// What a stranger with raw connections can cause: no more work, memory and log than a few requests do.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { LIMITS } from '../src/gateway/limits.ts'
import { LIMITS as REST_LIMITS } from '../src/rest/limits.ts'
import { LIMITS as STORAGE_LIMITS } from '../src/storage/limits.ts'
import { createLog } from '../src/http/create-log.ts'
import { textResponse } from '../src/http/text-response.ts'
import { aMember, sessionOf } from './auth-people.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'

const MEBIBYTE = 1024 * 1024
const LARGE_BYTES = 7_000_000

let backend: TestBackend
/** Storage takes no large JSON from strangers. */
let memberToken = ''
let handled = 0
let finish: ((response: Response) => void) | null = null
const lines: { msg: string; status?: number; err?: unknown }[] = []
const log = createLog(
  'info',
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as (typeof lines)[number])
      done()
    },
  }),
)

beforeAll(async () => {
  backend = await startTestBackend({
    sql: `create function public.large() returns text language sql stable
        as $$ select repeat('x', ${LARGE_BYTES}) $$;
      grant execute on all functions in schema public to anon;`,
    settings: {
      log,
      functions: {
        counted: () => {
          handled++
          return Promise.resolve(Response.json({ handled }))
        },
        unfinished: () => new Promise(() => undefined),
        finishedLater: () => new Promise((resolve) => (finish = resolve)),
      },
    },
  })
  memberToken = (await sessionOf((await aMember(backend)).client)).access_token
})
afterAll(() => backend.close())
beforeEach(() => {
  handled = 0
  lines.length = 0
})

test('a connection that sends many requests without waiting for responses is closed, and they are not handled', async () => {
  const socket = send('functions/v1/unfinished', 1)
  socket.write(requests('functions/v1/counted', 300))
  await closed(socket)
  expect(await countedOnce()).toBeLessThanOrEqual(LIMITS.pendingRequestsPerConnection)
})

test('a few requests without waiting get their responses in order', async () => {
  const socket = send('functions/v1/counted', LIMITS.pendingRequestsPerConnection)
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await expect
    .poll(() => text.match(/"handled":(\d+)/g)?.map((each) => Number(each.slice(10))))
    .toEqual(Array.from({ length: LIMITS.pendingRequestsPerConnection }, (_, index) => index + 1))
  socket.destroy()
})

test('responses that wait behind an unfinished one are forgotten when their client leaves', async () => {
  const rounds = Math.ceil(LIMITS.unreadBytesPerCaller / LARGE_BYTES) + 1
  for (let round = 0; round < rounds; round++) {
    const socket = send('functions/v1/unfinished', 1)
    socket.write(requests('rest/v1/rpc/large', 1))
    await expect.poll(() => responsesWith(200)).toBe(round + 1)
    socket.destroy()
    await closed(socket)
  }
  expect(responsesWith(429)).toBe(0)
  await expect.poll(() => fetchStatus('/rest/v1/rpc/large')).toBe(200)
})

test('responses that are finished after their client has left are forgotten', async () => {
  const rounds = Math.ceil(LIMITS.unreadBytesPerCaller / LARGE_BYTES) + 1
  for (let round = 0; round < rounds; round++) {
    const accepted = once(backend.app.server, 'connection') as Promise<[Socket]>
    const socket = send('functions/v1/finishedLater', 1)
    const left = once((await accepted)[0], 'close')
    await expect.poll(() => finish).not.toBeNull()
    socket.destroy()
    await left
    finish?.(textResponse('x'.repeat(LARGE_BYTES), { status: 200 }))
    finish = null
  }
  await expect.poll(() => responsesWith(200)).toBe(rounds)
  expect(await fetchStatus('/rest/v1/rpc/large')).toBe(200)
})

test.each(['/rest/v1/rpc/large', '/storage/v1/object/list/images'])(
  'bodies that are never finished take a bounded amount of memory (%s)',
  async (path) => {
    const size = path.startsWith('/storage')
      ? STORAGE_LIMITS.jsonBytes
      : REST_LIMITS.serviceBodyBytes
    const most = Math.floor(LIMITS.bodyBytesPerAddress / MEBIBYTE)
    const sockets = Array.from({ length: most + 2 }, () => sendPart(path, size, MEBIBYTE))
    await Promise.race(sockets.map(refused))
    sockets.forEach((socket) => socket.destroy())
    const whole = { method: 'POST', body: '{}' }
    await expect.poll(() => fetchStatus('/rest/v1/rpc/large', whole)).toBe(200)
  },
)

test.each([
  '/rest/v1/rpc/large',
  '/storage/v1/object/list/images',
  '/storage/v1/object/images/one',
])('a body of many tiny chunks is cut off; one of large chunks is read (%s)', async (path) => {
  const socket = sendHeaders(path, 'Transfer-Encoding: chunked')
  const isClosed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('1\r\n \r\n'.repeat(LIMITS.tinyChunks + 1))
  await isClosed

  const patient = sendHeaders(path, 'Transfer-Encoding: chunked')
  const piece = ' '.repeat(2 * LIMITS.tinyChunkBytes)
  const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`
  patient.write(`${chunk.repeat(2 * LIMITS.tinyChunks)}2\r\n{}\r\n0\r\n\r\n`)
  const [response] = (await once(patient, 'data')) as [Buffer]
  expect(response.toString()).toMatch(/^HTTP\/1.1 [24]\d\d /)
  patient.destroy()
})

test('the pieces of a body count with what they take in memory', async () => {
  const size = LIMITS.tinyChunkBytes
  const pieces = Math.floor(LIMITS.bodyBytesPerAddress / (size + LIMITS.bodyPieceBytes))
  const perBody = Math.floor(STORAGE_LIMITS.jsonBytes / size) - 1
  const chunk = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`
  const sockets = Array.from({ length: Math.ceil(pieces / perBody) + 1 }, () => {
    const socket = sendHeaders('/storage/v1/object/list/images', 'Transfer-Encoding: chunked')
    socket.write(chunk.repeat(perBody))
    return socket
  })
  await Promise.race(sockets.map(refused))
  sockets.forEach((socket) => socket.destroy())
})

test('the connection of a refused upgrade is closed, even if its client keeps its own end open', async () => {
  const { hostname, port } = new URL(backend.url)
  const accepted = once(backend.app.server, 'connection') as Promise<[Socket]>
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.write('GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
  const [response] = (await once(socket, 'data')) as [Buffer]
  expect(response.toString()).toMatch(/^HTTP\/1.1 404 /)
  const [connection] = await accepted
  await expect.poll(() => connection.destroyed).toBe(true)
  socket.destroy()
})

test.each([
  ['a method that no service has', 'TRACE /rest/v1/users', 405],
  ['an address as sent to a forward proxy', 'GET http://elsewhere/rest/v1/users', 400],
])('%s is refused without an error in the log', async (_case, requestLine, status) => {
  const { hostname } = new URL(backend.url)
  const socket = connected()
  socket.write(`${requestLine} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`)
  const [response] = (await once(socket, 'data')) as [Buffer]
  expect(response.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(lines.filter(({ err }) => err)).toEqual([])
  socket.destroy()
})

function responsesWith(status: number) {
  return lines.filter((line) => line.msg === 'request' && line.status === status).length
}

async function fetchStatus(path: string, options: RequestInit = {}) {
  const headers = { apikey: backend.publishableKey, 'content-type': 'application/json' }
  const response = await fetch(backend.url + path, { headers, ...options })
  await response.arrayBuffer()
  return response.status
}

async function countedOnce() {
  await fetchStatus('/functions/v1/counted')
  return handled - 1
}

function requests(path: string, count: number) {
  const one = `GET /${path} HTTP/1.1\r\nHost: x\r\napikey: ${backend.publishableKey}\r\n\r\n`
  return one.repeat(count)
}

/** Begins a request: its headers and the first bytes of its body. */
function sendPart(path: string, size: number, bytes: number) {
  const socket = sendHeaders(path, `Content-Length: ${size}`)
  socket.write(Buffer.alloc(bytes, ' '))
  return socket
}

function sendHeaders(path: string, header: string) {
  const { hostname, port } = new URL(backend.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const session = path.startsWith('/storage') ? `Authorization: Bearer ${memberToken}\r\n` : ''
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\napikey: ${backend.publishableKey}\r\n${session}` +
      `Content-Type: application/json\r\n${header}\r\n\r\n`,
  )
  return socket
}

/** Resolves when the connection is closed, or its request gets 429. */
function refused(socket: Socket) {
  return new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.once('data', (response: Buffer) => {
      if (response.toString().startsWith('HTTP/1.1 429')) resolve()
    })
  })
}

function send(path: string, count: number) {
  const socket = connected()
  socket.write(requests(path, count))
  return socket
}

function connected() {
  const { hostname, port } = new URL(backend.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  return socket
}

/** However the server closes it: bytes that it has not read reset the connection. */
function closed(socket: Socket) {
  return new Promise((resolve) => socket.once('close', resolve))
}
