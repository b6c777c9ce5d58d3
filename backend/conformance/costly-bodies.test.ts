// What a member may send in bodies and get refused, whatever service is asked.
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { LIMITS } from '#http/limits.ts'
import { LIMITS as REALTIME_LIMITS } from '#realtime/limits.ts'
import { LIMITS as REST_LIMITS } from '#rest/limits.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aDevice, aMember, sessionOf } from './auth-people.ts'

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

async function callerOf(client: SupabaseClient): Promise<Send> {
  const { access_token } = await sessionOf(client)
  return sendWith({ authorization: `Bearer ${access_token}` })
}

const aCaller = async () => callerOf((await aMember(backend)).client)

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

/** Whether another caller's refusal comes before the last ten of these, all within one second. */
async function goesAtOnce(other: Send, path: string, many: readonly Send[]): Promise<boolean> {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000)
  const finished: Send[] = []
  await Promise.all(
    [...many, other].map(async (send) => {
      const { status } = await send(path, '{}')
      expect(status).toBeGreaterThanOrEqual(400)
      finished.push(send)
    }),
  )
  clock.mockRestore()
  return finished.indexOf(other) < finished.length - 10
}

const times = (count: number, senders: readonly Send[]) =>
  Array.from({ length: count }, () => senders).flat()

test.each(['/batch/v1', '/realtime/v1/api/broadcast', '/functions/v1/none', '/storage/v1/none'])(
  'many refusals of %s within a second are sent later; others go on at once',
  async (path) => {
    const [send, other] = [await aCaller(), await aCaller()]
    const many = times(LIMITS.refusalsPerSecond + 10, [send, sendWith({})])
    expect(await goesAtOnce(other, path, many)).toBe(true)
  },
)

test('the refusals of an account’s sessions count together and are sent later', async () => {
  const { email, client } = await aMember(backend)
  const clients = [client, await aDevice(backend, email), await aDevice(backend, email)]
  const senders = await Promise.all(clients.map(callerOf))
  const each = Math.ceil((LIMITS.accountRefusalsPerSecond + 10) / senders.length)
  expect(each).toBeLessThan(LIMITS.refusalsPerSecond)
  expect(await goesAtOnce(await aCaller(), '/functions/v1/none', times(each, senders))).toBe(true)
})
