// What a member may send in bodies and get refused, whatever service is asked.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { LIMITS } from '#http/limits.ts'
import { LIMITS as REALTIME_LIMITS } from '#realtime/limits.ts'
import { LIMITS as REST_LIMITS } from '#rest/limits.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aMember, sessionOf } from './auth-people.ts'

let backend: TestBackend
let calls = 0
beforeAll(async () => {
  backend = await startTestBackend({
    settings: {
      functions: {
        echo: async (request) => {
          calls++
          return Response.json({ method: request.method, said: await request.text() })
        },
      },
    },
  })
})
afterAll(() => backend.close())

type Send = (path: string, body: string | null) => Promise<Response>

const sendWith =
  (headers: Record<string, string>): Send =>
  (path, body) =>
    fetch(backend.url + path, {
      method: body === null ? 'GET' : 'POST',
      headers: {
        apikey: backend.publishableKey,
        'content-type': 'application/json',
        ...headers,
      },
      body,
    })

async function aCaller(): Promise<Send> {
  const { access_token } = await sessionOf((await aMember(backend)).client)
  return sendWith({ authorization: `Bearer ${access_token}` })
}

const ECHO = '/functions/v1/echo'

test('a function gets the body as it was sent, and a request without one', async () => {
  const send = await aCaller()
  const said = async (body: string | null): Promise<unknown> => (await send(ECHO, body)).json()
  expect(await said('{"a":"ñ"}')).toEqual({ method: 'POST', said: '{"a":"ñ"}' })
  expect(await said(null)).toEqual({ method: 'GET', said: '' })
})

const named = (count: number) =>
  `{${Array.from({ length: count }, (_, n) => `"${n.toString(36)}":1`).join()}}`

test.each([
  ['nested too deep', '['.repeat(LIMITS.jsonDepth + 1), 400],
  ['with too many names', named(LIMITS.jsonNames + 1), 400],
  ['of too many bytes', ' '.repeat(LIMITS.functionBodyBytes + 1), 413],
])('a body %s is refused before a function parses it', async (_, body, status) => {
  const send = await aCaller()
  calls = 0
  expect((await send(ECHO, body)).status).toBe(status)
  expect(calls).toBe(0)
})

const SERVICES = [
  { path: '/batch/v1', bytes: REST_LIMITS.callBodyBytes, status: 400 },
  { path: '/realtime/v1/api/broadcast', bytes: REALTIME_LIMITS.httpBatchBytes, status: 422 },
  { path: ECHO, bytes: LIMITS.functionBodyBytes, status: 200 },
]

test.each(SERVICES)(
  'larger bodies to $path count for their session, even if they are refused; small ones do not',
  async ({ path, bytes, status }) => {
    const [send, other] = [await aCaller(), await aCaller()]
    const body = ' '.repeat(bytes)
    const most = LIMITS.sentBytesPerMinute / bytes
    for (let count = 0; count < most; count++) expect((await send(path, body)).status).toBe(status)
    const refused = await send(path, body)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await send(path, '{}')).status).not.toBe(429)
    expect((await other(path, body)).status).toBe(status)
  },
)

test.each(['/batch/v1', '/realtime/v1/api/broadcast', '/functions/v1/none', '/storage/v1/none'])(
  'many refusals of %s within a second are answered later; others go on at once',
  async (path) => {
    const [send, other] = [await aCaller(), await aCaller()]
    // All within one second.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000)
    const finished: string[] = []
    const ask = async (who: string, sender: Send) => {
      const { status } = await sender(path, '{}')
      expect(status).toBeGreaterThanOrEqual(400)
      finished.push(who)
    }
    const stranger = sendWith({})
    const many = Array.from({ length: LIMITS.refusalsPerSecond + 10 }, () => [
      ask('member', send),
      ask('stranger', stranger),
    ])
    await Promise.all([...many.flat(), ask('other', other)])
    clock.mockRestore()
    expect(finished.indexOf('other')).toBeLessThan(finished.length - 10)
  },
)
