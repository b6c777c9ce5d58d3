import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import {
  aClient,
  aMember,
  anAddress,
  aServer,
  call,
  latestMail,
  openLink,
  PASSWORD,
  sql,
  aCode,
} from './auth-people.ts'

type Client = ReturnType<typeof aClient>

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({
    settings: { auth: { rateLimitFactor: 10, mailsShowCode: true } },
  })
})
afterAll(() => backend.close())

async function aPendingSignUp() {
  const email = anAddress()
  const { error } = await aClient(backend).auth.signUp({ email, password: PASSWORD })
  if (error) throw error
  return { email, ...latestMail(backend, email) }
}

test('a link works once', async () => {
  const { link } = await aPendingSignUp()
  expect((await openLink(link)).fragment.get('access_token')).toBeTruthy()
  const again = await openLink(link)
  expect(again.status).toBe(303)
  expect(Object.fromEntries(again.fragment)).toEqual({
    error: 'access_denied',
    error_code: 'otp_expired',
    error_description: 'Email link is invalid or has expired',
    sb: '',
  })
})

test('of several concurrent clicks, one succeeds', async () => {
  const { link } = await aPendingSignUp()
  const clicks = await Promise.all(Array.from({ length: 5 }, () => openLink(link)))
  expect(clicks.filter(({ fragment }) => fragment.has('access_token'))).toHaveLength(1)
})

test('a link expires after an hour', async () => {
  const { link } = await aPendingSignUp()
  backend.clock.advance(3_601_000)
  expect((await openLink(link)).fragment.get('error_code')).toBe('otp_expired')
})

test('an invalid link redirects to the app with the reason', async () => {
  const { location } = await openLink(`${backend.url}/auth/v1/verify?token=nonsense&type=signup`)
  expect(location.startsWith(`${backend.url}/#error=access_denied&error_code=otp_expired`)).toBe(
    true,
  )
})

test('a link of one type does not work as another', async () => {
  const { email } = await aMember(backend)
  await aClient(backend).auth.resetPasswordForEmail(email)
  const { link } = latestMail(backend, email)
  const forged = await openLink(link.replace('type=recovery', 'type=signup'))
  expect(forged.fragment.get('error_code')).toBe('otp_expired')
  const unknown = await openLink(link.replace('type=recovery', 'type=constructor'))
  expect(unknown.fragment.get('error_code')).toBe('validation_failed')
  expect((await openLink(link)).fragment.get('type')).toBe('recovery')
})

test('a link’s response is not cached and sends no Referer', async () => {
  const { link } = await aPendingSignUp()
  const { headers } = await openLink(link)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

test.each([
  ['', 'Verify requires a verification type'],
  ['?type=signup', 'Verify requires a token or a token hash'],
])('GET /verify%s is rejected without a redirect', async (query, message) => {
  const { status, json } = await call(backend, `/verify${query}`, { method: 'GET' })
  expect(status).toBe(400)
  expect(json).toEqual({ code: 'validation_failed', message })
})

test('the mailed code confirms too, once', async () => {
  const { email, code } = await aPendingSignUp()
  const client = aClient(backend)
  const { data, error } = await client.auth.verifyOtp({ email, token: code, type: 'signup' })
  expect(error).toBeNull()
  expect(data.user?.email_confirmed_at).toBeDefined()
  expect(data.session).not.toBeNull()
  const again = await client.auth.verifyOtp({ email, token: code, type: 'signup' })
  expect(again.error).toMatchObject({
    status: 403,
    code: 'otp_expired',
    message: 'Token has expired or is invalid',
  })
})

test('a code only works for its own address', async () => {
  const { code } = await aPendingSignUp()
  const { email } = await aPendingSignUp()
  const { error } = await aClient(backend).auth.verifyOtp({ email, token: code, type: 'email' })
  expect(error?.code).toBe('otp_expired')
})

test('the token of a link can be redeemed by the app itself', async () => {
  const { link } = await aPendingSignUp()
  const token_hash = new URL(link).searchParams.get('token') ?? ''
  const { data, error } = await aClient(backend).auth.verifyOtp({ token_hash, type: 'email' })
  expect(error).toBeNull()
  expect(data.session).not.toBeNull()
})

test.each([
  [{ token: '123456', email: 'a@example.com' }, 'Verify requires a verification type'],
  [{ type: 'signup' }, 'Verify requires either a token or a token hash'],
  [
    { type: 'signup', token_hash: 'x', email: 'a@example.com' },
    'Only the token_hash and type should be provided',
  ],
  [
    { type: 'signup', token: '123456' },
    'Only an email address or phone number should be provided on verify',
  ],
  [{ type: 'sms', token_hash: 'x' }, 'Unsupported verification type'],
])('POST /verify with %j is rejected', async (body, message) => {
  const { status, json } = await call(backend, '/verify', { body })
  expect(status).toBe(400)
  expect(json).toEqual({ code: 'validation_failed', message })
})

test('the database stores no usable link', async () => {
  const { link, code } = await aPendingSignUp()
  const token = new URL(link).searchParams.get('token') ?? ''
  const rows = await sql<{ row: string }>(
    backend,
    `select t::text as row from auth.one_time_tokens t union all select u::text from auth.users u
     union all select o::text from auth_service.mail_outbox o`,
  )
  expect(token).toHaveLength(56)
  expect(rows.some(({ row }) => row.includes(token) || row.includes(`,${code},`))).toBe(false)
})

test('a confirmation can be resent; both links work until one is used', async () => {
  const { email, link } = await aPendingSignUp()
  const client = aClient(backend)
  const tooSoon = await client.auth.resend({ type: 'signup', email })
  expect(tooSoon.error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' })
  backend.clock.advance(61_000)
  expect((await client.auth.resend({ type: 'signup', email })).error).toBeNull()
  const renewed = latestMail(backend, email).link
  expect(renewed).not.toBe(link)
  expect((await openLink(link)).fragment.get('access_token')).toBeTruthy()
  expect((await openLink(renewed)).fragment.get('error_code')).toBe('otp_expired')
})

test.each([
  ['a new password', (client: Client, email: string) => client.auth.resetPasswordForEmail(email)],
  ['signing in', (client: Client, email: string) => client.auth.signInWithOtp({ email })],
])('of two links for %s, both work until one is used', async (_what, ask) => {
  const [{ email }, stranger] = [await aMember(backend), aClient(backend)]
  expect((await ask(aClient(backend), email)).error).toBeNull()
  const first = latestMail(backend, email)
  backend.clock.advance(61_000)
  expect((await ask(stranger, email)).error).toBeNull()
  const second = latestMail(backend, email)
  expect(second.link).not.toBe(first.link)
  expect((await openLink(first.link)).fragment.get('access_token')).toBeTruthy()
  expect((await openLink(second.link)).fragment.get('error_code')).toBe('otp_expired')
  const typed = await stranger.auth.verifyOtp({ email, token: second.code, type: 'email' })
  expect(typed.error).toMatchObject({ code: 'otp_expired' })
})

test('no link is resent to a confirmed or unknown address, with the same response; the owner learns of the account', async () => {
  const { email } = await aMember(backend)
  const count = backend.mail.messages().length
  for (const address of [email, anAddress()]) {
    const { error } = await aClient(backend).auth.resend({ type: 'signup', email: address })
    expect(error).toBeNull()
  }
  expect(backend.mail.messages()).toHaveLength(count + 1)
  expect(latestMail(backend, email).subject).toBe('You already have a Test account')
})

test('a magic link signs in an existing member', async () => {
  const { email, id } = await aMember(backend)
  const { error } = await aClient(backend).auth.signInWithOtp({ email })
  expect(error).toBeNull()
  const { link, code } = latestMail(backend, email)
  expect(link).toContain('type=magiclink')
  const { data } = await aClient(backend).auth.verifyOtp({ email, token: code, type: 'email' })
  expect(data.user?.id).toBe(id)
})

test('a magic link signs up a new member, unless the app forbids it; the response is the same', async () => {
  const email = anAddress()
  const strict = await aClient(backend).auth.signInWithOtp({
    email,
    options: { shouldCreateUser: false },
  })
  expect(strict.error).toBeNull()
  expect(backend.mail.messages().some(({ to }) => to === email)).toBe(false)
  backend.clock.advance(61_000)
  await aClient(backend).auth.signInWithOtp({ email, options: { data: { first_name: 'New' } } })
  const { fragment } = await openLink(latestMail(backend, email).link)
  expect(fragment.get('type')).toBe('signup')
  const { data } = await aClient(backend).auth.getUser(fragment.get('access_token') ?? '')
  expect(data.user?.user_metadata.first_name).toBe('New')
  const guess = await aClient(backend).auth.signInWithPassword({ email, password: PASSWORD })
  expect(guess.error?.code).toBe('invalid_credentials')
})

test('a link generated by a trusted server equals a mailed one', async () => {
  const { email } = await aMember(backend)
  const { data, error } = await aServer(backend).auth.admin.generateLink({
    type: 'magiclink',
    email,
  })
  expect(error).toBeNull()
  expect(data.properties).toMatchObject({
    verification_type: 'magiclink',
    redirect_to: backend.url,
    email_otp: aCode,
  })
  const opened = await openLink(data.properties?.action_link ?? '')
  expect(opened.fragment.get('access_token')).toBeTruthy()
})
