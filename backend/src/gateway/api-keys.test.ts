import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../../testing/start-test-backend.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({
    sql: `create function public.who() returns text language sql stable as 'select current_user'`,
  })
})
afterAll(() => backend.close())

function ask(headers: Record<string, string>, path = '/rest/v1/rpc/who') {
  return fetch(`${backend.url}${path}`, { headers })
}

test('a request without an API key is refused', async () => {
  const response = await ask({})
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ message: 'No API key found in request' })
})

test('an API key of another installation is refused', async () => {
  const response = await ask({ apikey: 'sb_publishable_wrong' })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ message: 'Invalid API key' })
})

test('the publishable key stands for anon, as apikey and as bearer', async () => {
  const { publishableKey: apikey } = backend
  expect(await (await ask({ apikey })).json()).toBe('anon')
  expect(await (await ask({ apikey, authorization: `Bearer ${apikey}` })).json()).toBe('anon')
})

test('the secret key stands for service_role', async () => {
  expect(await (await ask({ apikey: backend.secretKey })).json()).toBe('service_role')
})

test('the secret key does not work in a browser', async () => {
  const response = await ask({ apikey: backend.secretKey, 'user-agent': 'Mozilla/5.0' })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({
    message: 'Forbidden use of secret API key in browser',
  })
})

test('the secret key as bearer alone does not lift the publishable key', async () => {
  const response = await ask({
    apikey: backend.publishableKey,
    authorization: `Bearer ${backend.secretKey}`,
  })
  expect(response.status).toBe(401)
})

test('an access token stands for its member, until it expires', async () => {
  const seconds = Math.floor(backend.clock.now() / 1000)
  const token = await backend.tokens.sign({ role: 'authenticated', sub: 'x', exp: seconds + 60 })
  const headers = { apikey: backend.publishableKey, authorization: `Bearer ${token}` }
  expect(await (await ask(headers)).json()).toBe('authenticated')
  backend.clock.advance(61_000)
  const late = await ask(headers)
  expect(late.status).toBe(401)
  expect(await late.json()).toMatchObject({ code: 'PGRST303', message: 'JWT expired' })
})

test.each([
  ['unsigned (alg none)', 'eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.'],
  ['nonsense', 'not-a-token'],
])('a token that is %s is refused', async (_, token) => {
  const response = await ask({
    apikey: backend.publishableKey,
    authorization: `Bearer ${token}`,
  })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ code: 'PGRST301' })
})

test('a body over the limit is refused with 413', async () => {
  const response = await fetch(`${backend.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: backend.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'x'.repeat(400_000) }),
  })
  expect(response.status).toBe(413)
})

test('a preflight request from any page is answered', async () => {
  const response = await fetch(`${backend.url}/rest/v1/users`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example.com',
      'access-control-request-headers': 'apikey,authorization,prefer',
    },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-headers')).toBe('apikey,authorization,prefer')
})
