import { randomUUID } from 'node:crypto'
import bcrypt from 'bcrypt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import {
  aClient,
  aMember,
  aServer,
  anAddress,
  call,
  PASSWORD,
  sessionOf,
  sql,
  someNumber,
  someText,
} from './auth-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend()
})
afterAll(() => backend.close())

test('a member signs in with email address and password', async () => {
  const { email, id } = await aMember(backend)
  const { data, error } = await aClient(backend).auth.signInWithPassword({
    email: email.toUpperCase(),
    password: PASSWORD,
  })
  expect(error).toBeNull()
  expect(data.session).toMatchObject({
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: someNumber,
    access_token: someText,
    refresh_token: someText,
  })
  expect(data.user).toMatchObject({ id, email, last_sign_in_at: someText })
})

test('a wrong password and an unknown address get the same error', async () => {
  const { email } = await aMember(backend)
  const wrong = await aClient(backend).auth.signInWithPassword({
    email,
    password: 'wrong password',
  })
  const unknown = await aClient(backend).auth.signInWithPassword({
    email: anAddress(),
    password: 'wrong password',
  })
  for (const { error, data } of [wrong, unknown]) {
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    })
    expect(data.session).toBeNull()
  }
})

test.each([
  ['/token?grant_type=password', {}, 400, 'validation_failed', 'missing email or phone'],
  [
    '/token?grant_type=password',
    { phone: '+491234', password: 'x' },
    422,
    'phone_provider_disabled',
    'Phone logins are disabled',
  ],
  ['/token?grant_type=magic', {}, 400, 'invalid_credentials', 'unsupported_grant_type'],
  ['/token', {}, 400, 'invalid_credentials', 'unsupported_grant_type'],
  ['/token?grant_type=refresh_token', {}, 400, 'validation_failed', 'Refresh token is not valid'],
])('%s with %j is rejected', async (path, body, status, code, message) => {
  const response = await call(backend, path, { body })
  expect(response.status).toBe(status)
  expect(response.json).toEqual({ code, message })
})

test('a banned member is rejected until the ban ends', async () => {
  const { email, id, client } = await aMember(backend)
  const admin = aServer(backend).auth.admin
  await admin.updateUserById(id, { ban_duration: '1h30m' })
  const { error } = await aClient(backend).auth.signInWithPassword({ email, password: PASSWORD })
  expect(error).toMatchObject({ status: 400, code: 'user_banned', message: 'User is banned' })
  expect((await client.auth.getUser()).error).toMatchObject({ status: 403, code: 'user_banned' })
  expect((await client.auth.refreshSession()).error).toMatchObject({ code: 'user_banned' })
  await admin.updateUserById(id, { ban_duration: 'none' })
  const later = await aClient(backend).auth.signInWithPassword({ email, password: PASSWORD })
  expect(later.error).toBeNull()
})

test.each(['$2a$', '$2b$'])(
  'an imported %s hash works and is replaced by argon2id',
  async (prefix) => {
    const email = anAddress()
    const id = randomUUID()
    const hash = (await bcrypt.hash(PASSWORD, 10)).replace(/^\$2b\$/, prefix)
    // As in seeds and exports of hosted projects, without an identity.
    await sql(
      backend,
      `insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
         raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
       values ('00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, $3, now(), '{}', '{}', now(), now())`,
      [id, email, hash],
    )
    const wrong = await aClient(backend).auth.signInWithPassword({
      email,
      password: 'wrong password',
    })
    expect(wrong.error?.code).toBe('invalid_credentials')
    for (let time = 0; time < 2; time++) {
      const { error } = await aClient(backend).auth.signInWithPassword({
        email,
        password: PASSWORD,
      })
      expect(error).toBeNull()
    }
    const [row] = await sql<{ encrypted_password: string }>(
      backend,
      'select encrypted_password from auth.users where id = $1',
      [id],
    )
    expect(row?.encrypted_password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  },
)

test('a password hashed with pgcrypto in a seed works', async () => {
  const email = anAddress()
  await sql(
    backend,
    `insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at)
     values (gen_random_uuid(), 'authenticated', 'authenticated', $1, extensions.crypt($2, extensions.gen_salt('bf')), now())`,
    [email, PASSWORD],
  )
  const { error } = await aClient(backend).auth.signInWithPassword({ email, password: PASSWORD })
  expect(error).toBeNull()
})

test('signing in with a password that is now too weak succeeds with a warning', async () => {
  const strict = await startTestBackend({ settings: { auth: { minPasswordLength: 20 } } })
  try {
    const hash = await bcrypt.hash('short', 4)
    await aServer(strict).auth.admin.createUser({
      email: 'a@example.com',
      email_confirm: true,
      password_hash: hash,
    })
    const { data, error } = await aClient(strict).auth.signInWithPassword({
      email: 'a@example.com',
      password: 'short',
    })
    expect(error).toBeNull()
    expect(data.weakPassword ?? (data as { weak_password?: unknown }).weak_password).toMatchObject({
      reasons: ['length'],
    })
  } finally {
    await strict.close()
  }
})

test('reading the user requires an access token', async () => {
  const { client, id } = await aMember(backend)
  const { data } = await client.auth.getUser()
  expect(data.user?.id).toBe(id)
  const none = await call(backend, '/user', { method: 'GET' })
  expect(none.status).toBe(401)
  expect(none.json.code).toBe('no_authorization')
  const key = await call(backend, '/user', {
    method: 'GET',
    headers: { authorization: `Bearer ${backend.publishableKey}` },
  })
  expect(key.status).toBe(403)
  expect(key.json.code).toBe('bad_jwt')
})

test('the token of a deleted member is rejected', async () => {
  const { client, id } = await aMember(backend)
  const { access_token } = await sessionOf(client)
  await aServer(backend).auth.admin.deleteUser(id)
  const { error } = await aClient(backend).auth.getUser(access_token)
  expect(error).toMatchObject({ status: 403, code: 'user_not_found' })
})

test('the settings list email as the only provider', async () => {
  const { json } = await call(backend, '/settings', { method: 'GET' })
  expect(json).toMatchObject({
    external: { email: true, phone: false, google: false, anonymous_users: false },
    disable_signup: false,
    mailer_autoconfirm: false,
  })
  expect((await call(backend, '/health', { method: 'GET' })).status).toBe(200)
})

test('the public keys are published without their private part', async () => {
  const response = await fetch(`${backend.url}/auth/v1/.well-known/jwks.json`)
  const { keys } = (await response.json()) as { keys: Record<string, string>[] }
  expect(keys).toHaveLength(1)
  expect(keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256' })
  expect(keys[0]).not.toHaveProperty('d')
})

test('unsupported features respond as disabled', async () => {
  const oauth = await call(backend, '/authorize?provider=google', { method: 'GET' })
  expect(oauth.json).toEqual({
    code: 'validation_failed',
    message: 'Unsupported provider: provider is not enabled',
  })
  const { client } = await aMember(backend)
  const anonymous = await aClient(backend).auth.signInAnonymously()
  expect(anonymous.error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' })
  const idToken = await aClient(backend).auth.signInWithIdToken({ provider: 'google', token: 'x' })
  expect(idToken.error).toMatchObject({
    status: 400,
    code: 'provider_disabled',
    message: 'Provider (issuer "https://accounts.google.com") is not enabled',
  })
  const custom = await aClient(backend).auth.signInWithIdToken({ provider: 'acme', token: 'x' })
  expect(custom.error).toMatchObject({
    code: 'validation_failed',
    message: 'Custom OIDC provider "acme" not allowed',
  })
  const phone = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+15550100' })
  expect(phone.error).toMatchObject({
    status: 422,
    code: 'mfa_phone_enroll_not_enabled',
    message: 'MFA enroll is disabled for Phone',
  })
  expect((await call(backend, '/nothing', { method: 'GET' })).status).toBe(404)
  expect((await call(backend, '/signup', { method: 'GET' })).status).toBe(405)
})
