import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import {
  aClient,
  aMember,
  anAddress,
  aServer,
  bearer,
  call,
  latestMail,
  openLink,
  PASSWORD,
  sessionOf,
  sql,
  aCode,
  someText,
} from './auth-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({ settings: { auth: { rateLimitFactor: 10 } } })
})
afterAll(() => backend.close())

const admin = () => aServer(backend).auth.admin

test('a trusted server creates, reads, updates and deletes an account', async () => {
  const email = anAddress()
  const made = await admin().createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
    user_metadata: { first_name: 'Ann' },
    app_metadata: { team: 'north' },
  })
  expect(made.error).toBeNull()
  const id = made.data.user?.id ?? ''
  expect(made.data.user).toMatchObject({
    email,
    email_confirmed_at: someText,
    app_metadata: { provider: 'email', providers: ['email'], team: 'north' },
  })
  expect(made.data.user?.user_metadata).toEqual({ first_name: 'Ann' })
  expect((await admin().getUserById(id)).data.user?.email).toBe(email)

  const newEmail = anAddress()
  const changed = await admin().updateUserById(id, {
    email: newEmail,
    email_confirm: true,
    password: 'another password',
    user_metadata: { last_name: 'Ortiz' },
    app_metadata: { team: null },
  })
  expect(changed.data.user).toMatchObject({
    email: newEmail,
  })
  expect(changed.data.user?.user_metadata).toEqual({ first_name: 'Ann', last_name: 'Ortiz' })
  expect(changed.data.user?.app_metadata).not.toHaveProperty('team')
  const client = aClient(backend)
  const signedIn = await client.auth.signInWithPassword({
    email: newEmail,
    password: 'another password',
  })
  expect(signedIn.error).toBeNull()

  expect((await admin().deleteUser(id)).error).toBeNull()
  expect((await admin().getUserById(id)).error).toMatchObject({
    status: 404,
    code: 'user_not_found',
    message: 'User not found',
  })
  expect((await client.auth.refreshSession()).error?.code).toBe('refresh_token_not_found')
})

test('a soft delete keeps the row without its personal data', async () => {
  const { id, email, client } = await aMember(backend)
  expect((await admin().deleteUser(id, true)).error).toBeNull()
  expect((await client.auth.getUser()).error?.code).toBe('user_not_found')
  const [row] = await sql<{ row: string }>(
    backend,
    `select u::text || i::text as row from auth.users u join auth.identities i on i.user_id = u.id where u.id = $1`,
    [id],
  )
  expect(row?.row).not.toContain(email)
  expect(row?.row).not.toContain('Ann')
  expect((await aMember(backend, email)).id).not.toBe(id)
})

test('accounts are listed in pages, newest first', async () => {
  const fresh = await startTestBackend()
  try {
    for (let number = 1; number <= 5; number++) {
      await aServer(fresh).auth.admin.createUser({ email: `m${number}@example.com` })
    }
    const page = await aServer(fresh).auth.admin.listUsers({ page: 2, perPage: 2 })
    expect(page.error).toBeNull()
    expect(page.data.users.map(({ email }) => email)).toEqual(['m3@example.com', 'm2@example.com'])
    expect(page.data).toMatchObject({ aud: 'authenticated', total: 5, nextPage: 3, lastPage: 3 })
    const bad = await fetch(`${fresh.url}/auth/v1/admin/users?page=-1`, {
      headers: { apikey: fresh.secretKey },
    })
    expect(bad.status).toBe(400)
  } finally {
    await fresh.close()
  }
})

test('a taken or missing address and a malformed id are rejected', async () => {
  const { email } = await aMember(backend)
  expect((await admin().createUser({ email })).error).toMatchObject({
    status: 422,
    code: 'email_exists',
  })
  expect((await admin().createUser({})).error).toMatchObject({
    status: 400,
    message: 'Cannot create a user without either an email or phone',
  })
  const response = await call(backend, '/admin/users/42', {
    method: 'GET',
    headers: { apikey: backend.secretKey },
  })
  expect(response.status).toBe(404)
  expect(response.json).toEqual({ code: 'validation_failed', message: 'user_id must be an UUID' })
})

test('an invitation is mailed, opens the account and lets its owner choose a password', async () => {
  const email = anAddress()
  const { data, error } = await admin().inviteUserByEmail(email, {
    data: { first_name: 'Ivy' },
    redirectTo: `${backend.url}/create-account`,
  })
  expect(error).toBeNull()
  expect(data.user).toMatchObject({ email, invited_at: someText })
  const { link, subject } = latestMail(backend, email)
  expect(subject).toBe('Your team invites you to Test')
  backend.clock.advance(2 * 24 * 60 * 60_000)
  const { location, fragment } = await openLink(link)
  expect(location.startsWith(`${backend.url}/create-account#`)).toBe(true)
  expect(fragment.get('type')).toBe('invite')
  const client = aClient(backend)
  await client.auth.setSession({
    access_token: fragment.get('access_token') ?? '',
    refresh_token: fragment.get('refresh_token') ?? '',
  })
  expect((await client.auth.updateUser({ password: PASSWORD })).error).toBeNull()
  const signedIn = await aClient(backend).auth.signInWithPassword({ email, password: PASSWORD })
  expect(signedIn.data.user?.user_metadata.first_name).toBe('Ivy')
  expect((await admin().inviteUserByEmail(email)).error?.code).toBe('email_exists')
})

test.each([
  'signup',
  'invite',
  'magiclink',
  'recovery',
  'email_change_current',
  'email_change_new',
])('a generated %s link has everything a server needs to send its own mail', async (type) => {
  const isNew = type === 'signup' || type === 'invite'
  const email = isNew ? anAddress() : (await aMember(backend)).email
  const { data, error } = await admin().generateLink({
    type,
    email,
    newEmail: anAddress(),
    password: PASSWORD,
    options: { redirectTo: `${backend.url}/home`, data: { first_name: 'Gen' } },
  } as never)
  expect(error).toBeNull()
  expect(data.user?.email).toBe(email)
  expect(data.properties).toMatchObject({
    verification_type: type,
    redirect_to: `${backend.url}/home`,
    email_otp: aCode,
    hashed_token: someText,
  })
  const { location } = await openLink(data.properties?.action_link ?? '')
  const outcome = type.startsWith('email_change') ? 'message' : 'access_token'
  expect(location.startsWith(`${backend.url}/home#${outcome}=`)).toBe(true)
})

test('a link for an unknown user is rejected', async () => {
  const { error } = await admin().generateLink({ type: 'recovery', email: anAddress() })
  expect(error).toMatchObject({
    status: 404,
    code: 'user_not_found',
    message: 'User with this email not found',
  })
})

test('members and anonymous callers cannot use the admin API', async () => {
  const { client, id } = await aMember(backend)
  const headers = bearer((await sessionOf(client)).access_token)
  const paths: [string, string][] = [
    ['GET', '/admin/users'],
    ['POST', '/admin/users'],
    ['GET', `/admin/users/${id}`],
    ['PUT', `/admin/users/${id}`],
    ['DELETE', `/admin/users/${id}`],
    ['POST', '/admin/generate_link'],
    ['POST', '/invite'],
  ]
  for (const [method, path] of paths) {
    const body = method === 'GET' ? undefined : {}
    const member = await call(backend, path, { method, headers, body })
    expect([path, member.status, member.json.code]).toEqual([path, 403, 'not_admin'])
    const stranger = await call(backend, path, { method, body })
    expect([path, stranger.status, stranger.json.code]).toEqual([path, 401, 'no_authorization'])
  }
})

test.each([
  ['GET', '/admin/audit'],
  ['GET', '/admin/sso/providers'],
  ['GET', '/callback'],
  ['GET', '/.well-known/openid-configuration'],
])('%s %s is not found', async (method, path) => {
  const response = await fetch(`${backend.url}/auth/v1${path}`, {
    method,
    headers: { apikey: backend.secretKey, 'x-supabase-api-version': '2024-01-01' },
  })
  expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }])
})
