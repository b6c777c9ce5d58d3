import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../../testing/start-test-backend.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({
    sql: `create function public.who() returns text language sql stable as 'select current_user';
          create function public.claims() returns jsonb language sql stable as 'select auth.jwt()'`,
  })
})
afterAll(() => backend.close())

function send(headers: Record<string, string>, path = '/rest/v1/rpc/who') {
  return fetch(`${backend.url}${path}`, { headers })
}

test('a request without an API key is refused', async () => {
  const response = await send({})
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ message: 'No API key found in request' })
})

test('an API key of another installation is refused', async () => {
  const response = await send({ apikey: 'sb_publishable_wrong' })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ message: 'Invalid API key' })
})

test('the publishable key authenticates as anon, as apikey and as bearer', async () => {
  const { publishableKey: apikey } = backend
  expect(await (await send({ apikey })).json()).toBe('anon')
  expect(await (await send({ apikey, authorization: `Bearer ${apikey}` })).json()).toBe('anon')
})

test('the secret key authenticates as service_role', async () => {
  expect(await (await send({ apikey: backend.secretKey })).json()).toBe('service_role')
})

test('the secret key does not work in a browser', async () => {
  const response = await send({ apikey: backend.secretKey, 'user-agent': 'Mozilla/5.0' })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({
    message: 'Forbidden use of secret API key in browser',
  })
})

test('the secret key as bearer does not elevate the publishable key', async () => {
  const response = await send({
    apikey: backend.publishableKey,
    authorization: `Bearer ${backend.secretKey}`,
  })
  expect(response.status).toBe(401)
})

test('an access token authenticates its member until it expires', async () => {
  const seconds = Math.floor(backend.clock.now() / 1000)
  const token = await backend.tokens.sign({ role: 'authenticated', sub: 'x', exp: seconds + 60 })
  const headers = { apikey: backend.publishableKey, authorization: `Bearer ${token}` }
  expect(await (await send(headers)).json()).toBe('authenticated')
  backend.clock.advance(61_000)
  const late = await send(headers)
  expect(late.status).toBe(401)
  expect(await late.json()).toMatchObject({ code: 'PGRST303', message: 'JWT expired' })
})

const NONE = 'eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.'

test.each([
  ['', 'PGRST301', 'Empty JWT is sent in Authorization header', null],
  ['not-a-token', 'PGRST301', 'Expected 3 parts in JWT; got 1', null],
  ['a.b', 'PGRST301', 'Expected 3 parts in JWT; got 2', null],
  ['a.b.c', 'PGRST301', 'JWT cryptographic operation failed', null],
  [NONE, 'PGRST301', 'Wrong or unsupported encoding algorithm', null],
  [`${NONE} and more`, 'PGRST301', 'Wrong or unsupported encoding algorithm', null],
])('the Data API refuses the token "%s": %s %s', async (token, code, message, details) => {
  const response = await send({
    apikey: backend.publishableKey,
    authorization: `Bearer ${token}`,
  })
  expect([response.status, await response.json()]).toEqual([
    401,
    { code, message, details, hint: null },
  ])
  expect(response.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
  expect(response.headers.get('www-authenticate')).toBe(
    `Bearer error="invalid_token", error_description="${message}"`,
  )
})

test('the Data API names the claim that is wrong', async () => {
  const seconds = Math.floor(backend.clock.now() / 1000)
  const refusal = async (claims: Record<string, unknown>) => {
    const token = await backend.tokens.sign({ role: 'authenticated', ...claims })
    const headers = { apikey: backend.publishableKey, authorization: `Bearer ${token}` }
    return (await send(headers)).json()
  }
  expect(await refusal({ exp: seconds - 60 })).toMatchObject({ message: 'JWT expired' })
  expect(await refusal({ nbf: seconds + 600 })).toMatchObject({
    code: 'PGRST303',
    message: 'JWT not yet valid',
  })
  expect(await refusal({ exp: 'soon' })).toMatchObject({
    code: 'PGRST303',
    message: "The JWT 'exp' claim must be a number",
  })
})

test('a token signed by another key is refused', async () => {
  const token = await backend.tokens.sign({ role: 'service_role' })
  const forged = `${token.slice(0, -8)}${token.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`
  const response = await send({
    apikey: backend.publishableKey,
    authorization: `Bearer ${forged}`,
  })
  expect([response.status, await response.json()]).toMatchObject([
    401,
    {
      code: 'PGRST301',
      message: 'No suitable key or wrong key type',
      details: 'None of the keys was able to decode the JWT',
    },
  ])
})

test('a signed token without a role is anonymous, and its other claims do not count', async () => {
  const token = await backend.tokens.sign({ sub: 'somebody' })
  const headers = { apikey: backend.publishableKey, authorization: `Bearer ${token}` }
  expect(await (await send(headers)).json()).toBe('anon')
  expect(await (await send(headers, '/rest/v1/rpc/claims')).json()).toEqual({ role: 'anon' })
})

test.each([
  ['unsigned (alg none)', 'eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.'],
  ['nonsense', 'not-a-token'],
])('a token that is %s is refused', async (_, token) => {
  const response = await send({
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

test('a preflight request from any origin is allowed', async () => {
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
