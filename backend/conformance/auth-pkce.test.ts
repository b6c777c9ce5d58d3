import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import {
  aClient,
  aMember,
  anAddress,
  call,
  latestMail,
  openLink,
  PASSWORD,
  someNumber,
} from './auth-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend()
})
afterAll(() => backend.close())

test('a sign-up with PKCE redirects with a code that only the same app can exchange', async () => {
  const email = anAddress()
  const client = aClient(backend, { flowType: 'pkce' })
  await client.auth.signUp({ email, password: PASSWORD })
  const { link } = latestMail(backend, email)
  expect(link).toContain('token=pkce_')
  const { query, fragment } = await openLink(link)
  expect(fragment.has('access_token')).toBe(false)
  const code = query.get('code') ?? ''
  const { data, error } = await client.auth.exchangeCodeForSession(code)
  expect(error).toBeNull()
  expect(data.user?.email).toBe(email)
  const claims = (await client.auth.getClaims()).data?.claims
  expect(claims?.amr).toEqual([{ method: 'email/signup', timestamp: someNumber }])
})

test('a recovery with PKCE is recognizable to the app', async () => {
  const { email } = await aMember(backend)
  const client = aClient(backend, { flowType: 'pkce' })
  const events: string[] = []
  client.auth.onAuthStateChange((event) => void events.push(event))
  await client.auth.resetPasswordForEmail(email, { redirectTo: `${backend.url}/new-password` })
  const { location, query } = await openLink(latestMail(backend, email).link)
  expect(location.startsWith(`${backend.url}/new-password?code=`)).toBe(true)
  expect((await client.auth.exchangeCodeForSession(query.get('code') ?? '')).error).toBeNull()
  expect(events).toContain('PASSWORD_RECOVERY')
})

test('a stranger’s later request does not come in between a link and the app that asked for it', async () => {
  const { email } = await aMember(backend)
  const client = aClient(backend, { flowType: 'pkce' })
  await client.auth.resetPasswordForEmail(email)
  const { link } = latestMail(backend, email)
  backend.clock.advance(61_000)
  await aClient(backend, { flowType: 'pkce' }).auth.resetPasswordForEmail(email)
  const { query } = await openLink(link)
  expect((await client.auth.exchangeCodeForSession(query.get('code') ?? '')).error).toBeNull()
})

test('a code works once, within five minutes, and only with its verifier', async () => {
  const { email } = await aMember(backend)
  const trade = (auth_code: string, code_verifier: string) =>
    call(backend, '/token?grant_type=pkce', { body: { auth_code, code_verifier } })
  const aCode = async () => {
    backend.clock.advance(61_000)
    await call(backend, '/recover', {
      body: { email, code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' },
    })
    return (await openLink(latestMail(backend, email).link)).query.get('code') ?? ''
  }
  const first = await aCode()
  expect((await trade(first, 'b'.repeat(43))).json.code).toBe('bad_code_verifier')
  expect((await trade(first, 'a'.repeat(43))).json.code).toBe('flow_state_not_found')

  const second = await aCode()
  expect((await trade(second, 'a'.repeat(43))).status).toBe(200)
  expect((await trade(second, 'a'.repeat(43))).json.code).toBe('flow_state_not_found')

  const third = await aCode()
  backend.clock.advance(301_000)
  const late = await trade(third, 'a'.repeat(43))
  expect(late.status).toBe(422)
  expect(late.json.code).toBe('flow_state_expired')
  expect((await trade('', '')).json.code).toBe('validation_failed')
})

test.each([
  [
    { code_challenge: 'a'.repeat(43) },
    'PKCE flow requires code_challenge_method and code_challenge',
  ],
  [
    { code_challenge: 'short', code_challenge_method: 's256' },
    'code challenge has to be between 43 and 128 characters',
  ],
  [
    { code_challenge: '<'.repeat(43), code_challenge_method: 's256' },
    'code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes',
  ],
])('a challenge of %j is rejected', async (challenge, message) => {
  const { status, json } = await call(backend, '/recover', {
    body: { email: 'a@example.com', ...challenge },
  })
  expect(status).toBe(400)
  expect(json).toEqual({ code: 'validation_failed', message })
})

test('a failed PKCE link has the reason in the query as well', async () => {
  const { query, fragment } = await openLink(
    `${backend.url}/auth/v1/verify?token=pkce_nonsense&type=recovery`,
  )
  expect(query.get('error_code')).toBe('otp_expired')
  expect(fragment.get('error_code')).toBe('otp_expired')
})
