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
  sql,
  someNumber,
} from './auth-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend()
})
afterAll(() => backend.close())

test('a new member signs up, confirms with the mailed link and signs in', async () => {
  const client = aClient(backend)
  const { data, error } = await client.auth.signUp({
    email: 'Ann.Ortiz@Example.com',
    password: PASSWORD,
    options: { data: { first_name: 'Ann', last_name: 'Ortiz' } },
  })
  expect(error).toBeNull()
  expect(data.session).toBeNull()
  expect(data.user).toMatchObject({
    aud: 'authenticated',
    role: 'authenticated',
    email: 'ann.ortiz@example.com',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { first_name: 'Ann', last_name: 'Ortiz', email_verified: false },
    is_anonymous: false,
  })
  expect(data.user?.identities).toHaveLength(1)
  expect(data.user?.email_confirmed_at).toBeUndefined()

  const early = await client.auth.signInWithPassword({
    email: 'ann.ortiz@example.com',
    password: PASSWORD,
  })
  expect(early.error).toMatchObject({
    status: 400,
    code: 'email_not_confirmed',
    message: 'Email not confirmed',
  })

  const { status, location, fragment } = await openLink(
    latestMail(backend, 'ann.ortiz@example.com').link,
  )
  expect(status).toBe(303)
  expect(location.startsWith(`${backend.url}/#`)).toBe(true)
  expect(fragment.get('type')).toBe('signup')
  expect(fragment.get('token_type')).toBe('bearer')
  expect(fragment.get('expires_in')).toBe('3600')

  const { data: adopted } = await client.auth.setSession({
    access_token: fragment.get('access_token') ?? '',
    refresh_token: fragment.get('refresh_token') ?? '',
  })
  expect(adopted.user?.email_confirmed_at).toBeDefined()

  const late = await client.auth.signInWithPassword({
    email: 'ann.ortiz@example.com',
    password: PASSWORD,
  })
  expect(late.error).toBeNull()
  expect(late.data.user?.user_metadata).toMatchObject({ first_name: 'Ann', email_verified: true })
})

test('the owner of an address with an account learns by mail that somebody signed up with it, and gets a way in', async () => {
  const { email } = await aMember(backend)
  const { data, error } = await aClient(backend).auth.signUp({ email, password: 'another one' })
  expect(error).toBeNull()
  expect(data.session).toBeNull()
  const mail = latestMail(backend, email)
  expect(mail.subject).toBe('You already have a Test account')
  expect(mail.text).toContain(`Log in:\n${backend.url}\n`)
  expect(mail.text).not.toContain('token=')
  const withOld = { email, password: PASSWORD }
  expect((await aClient(backend).auth.signInWithPassword(withOld)).error).toBeNull()
})

test('a sign-up’s redirect URL is respected if it is allowed', async () => {
  const email = anAddress()
  await aClient(backend).auth.signUp({
    email,
    password: PASSWORD,
    options: { emailRedirectTo: `${backend.url}/email-verify` },
  })
  const { location } = await openLink(latestMail(backend, email).link)
  expect(location.startsWith(`${backend.url}/email-verify#access_token=`)).toBe(true)
})

test('the access token carries the claims that policies and the app read', async () => {
  const { client, id, email } = await aMember(backend)
  const { data, error } = await client.auth.getClaims()
  expect(error).toBeNull()
  expect(data?.header).toMatchObject({ alg: 'ES256', typ: 'JWT' })
  const claims = data?.claims
  expect(claims).toMatchObject({
    iss: `${backend.url}/auth/v1`,
    sub: id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    aal: 'aal1',
    is_anonymous: false,
    app_metadata: { provider: 'email' },
    user_metadata: { first_name: 'Ann' },
  })
  expect(claims?.amr).toEqual([{ method: 'password', timestamp: someNumber }])
  expect(claims?.session_id).toMatch(/^[0-9a-f-]{36}$/)
  expect((claims?.exp ?? 0) - (claims?.iat ?? 0)).toBe(3600)
})

test('a sign-up with a registered address looks like success and changes nothing', async () => {
  const { email, id } = await aMember(backend)
  const before = await sql(backend, 'select * from auth.users where id = $1', [id])
  const { data, error } = await aClient(backend).auth.signUp({
    email,
    password: 'another password',
    options: { data: { first_name: 'Mallory' } },
  })
  expect(error).toBeNull()
  expect(data.session).toBeNull()
  expect(data.user?.id).not.toBe(id)
  expect(data.user).toMatchObject({
    email,
    identities: [],
    user_metadata: { first_name: 'Mallory' },
  })
  expect(data.user?.email_confirmed_at).toBeUndefined()
  expect(data.user?.last_sign_in_at).toBeUndefined()
  expect(await sql(backend, 'select * from auth.users where id = $1', [id])).toEqual(before)
})

test('a weak password is rejected with reasons', async () => {
  const { error } = await aClient(backend).auth.signUp({ email: anAddress(), password: '12345' })
  expect(error).toMatchObject({
    name: 'AuthWeakPasswordError',
    status: 422,
    code: 'weak_password',
    reasons: ['length'],
    message: 'Password should be at least 6 characters.',
  })
})

test.each([
  [{ email: 'a@example.com' }, 400, 'validation_failed', 'Signup requires a valid password'],
  [
    { email: 'nonsense', password: PASSWORD },
    400,
    'validation_failed',
    'Unable to validate email address: invalid format',
  ],
  [
    { email: `${'a'.repeat(250)}@example.com`, password: PASSWORD },
    400,
    'validation_failed',
    'An email address is too long',
  ],
  [
    { email: 'a@example.com', password: 'x'.repeat(73) },
    400,
    'validation_failed',
    'Password cannot be longer than 72 characters',
  ],
  [
    { phone: '+4912345', password: PASSWORD },
    400,
    'phone_provider_disabled',
    'Phone signups are disabled',
  ],
  [{}, 422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
  [{ email: 5, password: PASSWORD }, 400, 'bad_json', 'Could not parse request body as JSON'],
  ['{"email"', 400, 'bad_json', 'Could not parse request body as JSON'],
])('a sign-up of %j is rejected with %i %s', async (body, status, code, message) => {
  const response = await call(backend, '/signup', { body })
  expect(response.status).toBe(status)
  expect(response.json).toEqual({ code, message })
})

test('a client without an API version gets the older error body', async () => {
  const response = await call(backend, '/signup', {
    body: { email: 'a@example.com' },
    headers: { 'x-supabase-api-version': '' },
  })
  expect(response.json).toEqual({
    code: 400,
    error_code: 'validation_failed',
    msg: 'Signup requires a valid password',
  })
})

test('a product trigger on auth.users runs in the transaction of the sign-up', async () => {
  const product = await startTestBackend({
    sql: `
      create table public.profiles (id uuid primary key references auth.users (id) on delete cascade, name text);
      create function public.make_profile() returns trigger language plpgsql security definer set search_path = ''
      as $$ begin
        if new.raw_user_meta_data ->> 'first_name' = 'Bad' then raise exception 'refused'; end if;
        insert into public.profiles values (new.id, new.raw_user_meta_data ->> 'first_name');
        return new;
      end $$;
      create trigger make_profile after insert on auth.users for each row execute function public.make_profile();`,
  })
  try {
    const client = aClient(product)
    const good = await client.auth.signUp({
      email: 'good@example.com',
      password: PASSWORD,
      options: { data: { first_name: 'Good' } },
    })
    expect(good.error).toBeNull()
    const bad = await call(product, '/signup', {
      body: { email: 'bad@example.com', password: PASSWORD, data: { first_name: 'Bad' } },
    })
    expect(bad.status).toBe(500)
    expect(bad.json).toEqual({ code: 'unexpected_failure', message: 'Internal Server Error' })
    expect(await sql(product, 'select name from public.profiles')).toEqual([{ name: 'Good' }])
    expect(await sql(product, 'select email from auth.users')).toEqual([
      { email: 'good@example.com' },
    ])
    expect(product.mail.messages().map((mail) => mail.to)).toEqual(['good@example.com'])
  } finally {
    await product.close()
  }
})

test('without confirmation, a sign-up is signed in immediately and a second one is rejected', async () => {
  const open = await startTestBackend({ settings: { auth: { autoconfirm: true } } })
  try {
    const first = await aClient(open).auth.signUp({ email: 'a@example.com', password: PASSWORD })
    expect(first.data.session?.user.email_confirmed_at).toBeDefined()
    const second = await aClient(open).auth.signUp({ email: 'a@example.com', password: PASSWORD })
    expect(second.error).toMatchObject({
      status: 422,
      code: 'user_already_exists',
      message: 'User already registered',
    })
  } finally {
    await open.close()
  }
})

test('sign-ups can be disabled', async () => {
  const closed = await startTestBackend({ settings: { auth: { signUpDisabled: true } } })
  try {
    const { error } = await aClient(closed).auth.signUp({
      email: 'a@example.com',
      password: PASSWORD,
    })
    expect(error).toMatchObject({
      status: 422,
      code: 'signup_disabled',
      message: 'Signups not allowed for this instance',
    })
    const otp = await aClient(closed).auth.signInWithOtp({ email: 'a@example.com' })
    expect(otp.error?.code).toBe('signup_disabled')
  } finally {
    await closed.close()
  }
})

test('concurrent sign-ups with one address get the same response and create one account', async () => {
  const busy = await startTestBackend({ settings: { auth: { mailIntervalSeconds: 0 } } })
  try {
    const body = { email: 'a@example.com', password: PASSWORD }
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => call(busy, '/signup', { body })),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const rows = await sql(
      busy,
      'select from auth.users u join auth.identities i on i.user_id = u.id',
    )
    expect(rows).toHaveLength(1)
  } finally {
    await busy.close()
  }
})

test('a NUL character, which Postgres stores nowhere, is refused in names and other metadata', async () => {
  const bodies = [{ first_name: 'a\0b' }, { 'a\0b': 1 }, { deep: [{ name: '\0' }] }].map(
    (data) => ({
      email: anAddress(),
      password: PASSWORD,
      data,
    }),
  )
  const spelled = { email: anAddress(), password: PASSWORD, data: { note: '\\u0000' } }
  expect((await call(backend, '/signup', { body: spelled })).status).toBe(200)
  for (const body of bodies) {
    const { status, json } = await call(backend, '/signup', { body })
    expect(status).toBe(400)
    expect(json).toMatchObject({ code: 'validation_failed' })
  }
})
