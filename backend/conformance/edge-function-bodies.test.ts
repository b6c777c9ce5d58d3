import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '#http/limits.ts'
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

async function aCaller() {
  const { access_token } = await sessionOf((await aMember(backend)).client)
  return async (body: string | null) => {
    const response = await fetch(`${backend.url}/functions/v1/echo`, {
      method: body === null ? 'GET' : 'POST',
      headers: { apikey: backend.publishableKey, authorization: `Bearer ${access_token}` },
      body,
    })
    return { status: response.status, answer: (await response.json()) as object }
  }
}

test('a function gets the body as it was sent, and a request without one', async () => {
  const send = await aCaller()
  expect(await send('{"a":"ñ"}')).toMatchObject({ answer: { method: 'POST', said: '{"a":"ñ"}' } })
  expect(await send(null)).toMatchObject({ answer: { method: 'GET', said: '' } })
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
  expect((await send(body)).status).toBe(status)
  expect(calls).toBe(0)
})

test('larger bodies count for their session: beyond the allowance they are refused, small ones are not', async () => {
  const send = await aCaller()
  const most = LIMITS.sentBytesPerMinute / LIMITS.functionBodyBytes
  const body = ' '.repeat(LIMITS.functionBodyBytes)
  for (let count = 0; count < most; count++) expect((await send(body)).status).toBe(200)
  expect((await send(body)).status).toBe(429)
  expect((await send('{}')).status).toBe(200)
  expect((await (await aCaller())(body)).status).toBe(200)
})
