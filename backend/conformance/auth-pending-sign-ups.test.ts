// Several sign-ups with one address, or with an invited address.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '#auth/limits.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import {
  aClient,
  anAddress,
  aServer,
  call,
  latestMail,
  openLink,
  PASSWORD,
  sql,
} from './auth-people.ts'

let backend: TestBackend
beforeAll(async () => {
  const auth = { mailIntervalSeconds: 0, rateLimitFactor: 0, minResponseMilliseconds: 0 }
  backend = await startTestBackend({ settings: { auth, trustProxy: 1 } })
})
afterAll(() => backend.close())

const STRANGERS = 'the stranger’s'

/** Signs up from a separate client address. @returns the mailed link */
async function signUp(email: string, password: string, firstName: string, network = '10.0.0.1') {
  const { status, json } = await call(backend, '/signup', {
    body: { email, password, data: { first_name: firstName } },
    headers: { 'x-forwarded-for': network },
  })
  expect(status).toBe(200)
  return { ...latestMail(backend, email), response: json }
}

async function signIn(email: string, password: string) {
  const { data, error } = await aClient(backend).auth.signInWithPassword({ email, password })
  return error?.code ?? (data.user?.user_metadata.first_name as string)
}

const opens = async (link: string) => (await openLink(link)).fragment.has('access_token')

test('a link activates the password and data of its own sign-up, and deletes the others', async () => {
  const email = anAddress()
  const stranger = await signUp(email, STRANGERS, 'Mallory')
  const owner = await signUp(email, PASSWORD, 'Ann')
  const again = await signUp(email, STRANGERS, 'Mallory')
  expect(await opens(owner.link)).toBe(true)
  expect(await signIn(email, PASSWORD)).toBe('Ann')
  expect(await signIn(email, STRANGERS)).toBe('invalid_credentials')
  expect(await opens(stranger.link)).toBe(false)
  expect(await opens(again.link)).toBe(false)
  const [account] = await sql(
    backend,
    `select u.raw_user_meta_data ->> 'first_name' as name, i.identity_data ->> 'first_name' as identity
     from auth.users u join auth.identities i on i.user_id = u.id where u.email = $1`,
    [email],
  )
  expect(account).toEqual({ name: 'Ann', identity: 'Ann' })
})

test('the response to a repeated sign-up reveals nothing of the first', async () => {
  const email = anAddress()
  const first = (await signUp(email, PASSWORD, 'Ann')).response
  const second = (await signUp(email, STRANGERS, 'Mallory')).response
  expect(JSON.stringify(second)).not.toContain('Ann')
  expect(Object.keys(second)).toEqual(Object.keys(first))
  expect(second.id).toBe(first.id)
})

test('a resend repeats the sign-up made from the same network', async () => {
  const email = anAddress()
  await signUp(email, PASSWORD, 'Ann', '10.0.0.1')
  await signUp(email, STRANGERS, 'Mallory', '10.6.6.6')
  await call(backend, '/resend', {
    body: { type: 'signup', email },
    headers: { 'x-forwarded-for': '10.0.0.1' },
  })
  expect(await opens(latestMail(backend, email).link)).toBe(true)
  expect(await signIn(email, PASSWORD)).toBe('Ann')
})

test.each(['/recover', '/otp'])(
  'a link of %s to an unconfirmed account does not activate the password of a sign-up',
  async (path) => {
    const email = anAddress()
    await signUp(email, STRANGERS, 'Mallory')
    await call(backend, path, { body: { email } })
    expect(await opens(latestMail(backend, email).link)).toBe(true)
    expect(await signIn(email, STRANGERS)).toBe('invalid_credentials')
  },
)

test('a sign-up confirmed during another one keeps its password', async () => {
  const email = anAddress()
  const owner = await signUp(email, PASSWORD, 'Ann')
  await Promise.all([
    openLink(owner.link),
    ...Array.from({ length: 4 }, () => signUp(email, STRANGERS, 'Mallory')),
  ])
  expect(await signIn(email, PASSWORD)).toBe('Ann')
  const rows = await sql(
    backend,
    'select from auth_service.pending_sign_ups p join auth.users u on u.id = p.user_id where u.email = $1',
    [email],
  )
  expect(rows).toEqual([])
})

test('a sign-up with an invited address does not change the invitation, and resends it', async () => {
  const email = anAddress()
  const { admin } = aServer(backend).auth
  await admin.inviteUserByEmail(email, { data: { first_name: 'Ivy', note: 'private' } })
  const invitation = latestMail(backend, email)
  const { response, subject, link } = await signUp(email, STRANGERS, 'Mallory')
  expect(response.user_metadata).toMatchObject({ first_name: 'Mallory' })
  expect(JSON.stringify(response)).not.toContain('private')
  expect(subject).toBe('Your team invites you to Test')
  expect(new URL(link).searchParams.get('type')).toBe('invite')

  const { fragment } = await openLink(invitation.link)
  const owner = aClient(backend)
  await owner.auth.setSession({
    access_token: fragment.get('access_token') ?? '',
    refresh_token: fragment.get('refresh_token') ?? '',
  })
  expect(await signIn(email, STRANGERS)).toBe('invalid_credentials')
  expect((await owner.auth.updateUser({ password: PASSWORD })).error).toBeNull()
  expect(await signIn(email, PASSWORD)).toBe('Ivy')
})

test('the resent invitation sets no password either', async () => {
  const email = anAddress()
  await aServer(backend).auth.admin.inviteUserByEmail(email, { data: { first_name: 'Ivy' } })
  const { link } = await signUp(email, STRANGERS, 'Mallory')
  expect(await opens(link)).toBe(true)
  expect(await signIn(email, STRANGERS)).toBe('invalid_credentials')
})

test('an invitation deletes earlier sign-ups', async () => {
  const email = anAddress()
  const stranger = await signUp(email, STRANGERS, 'Mallory')
  const { admin } = aServer(backend).auth
  await admin.inviteUserByEmail(email, { data: { first_name: 'Ivy' } })
  expect(await opens(stranger.link)).toBe(false)
  const { fragment } = await openLink(latestMail(backend, email).link)
  const { data } = await aClient(backend).auth.getUser(fragment.get('access_token') ?? '')
  expect(data.user?.user_metadata.first_name).toBe('Ivy')
  expect(await signIn(email, STRANGERS)).toBe('invalid_credentials')
})

test('a password set by a trusted server deletes pending sign-ups', async () => {
  const email = anAddress()
  const stranger = await signUp(email, STRANGERS, 'Mallory')
  const { admin } = aServer(backend).auth
  await admin.updateUserById(String(stranger.response.id), { password: PASSWORD })
  expect(await opens(stranger.link)).toBe(false)
  await call(backend, '/resend', { body: { type: 'signup', email } })
  expect(await opens(latestMail(backend, email).link)).toBe(true)
  expect(await signIn(email, PASSWORD)).toBeTruthy()
  expect(await signIn(email, STRANGERS)).toBe('invalid_credentials')
})

test('an account keeps a hundred sign-ups and links; new ones replace the oldest', async () => {
  const email = anAddress()
  const first = await signUp(email, STRANGERS, 'Mallory')
  for (let time = 0; time < LIMITS.linksPerAccount; time++) await signUp(email, PASSWORD, 'Ann')
  expect(await opens(first.link)).toBe(false)
  const kept = await sql(
    backend,
    'select from auth_service.pending_sign_ups p join auth.users u on u.id = p.user_id where u.email = $1',
    [email],
  )
  expect(kept).toHaveLength(LIMITS.linksPerAccount)
})

test('without confirmations, nobody can sign up with an invited address', async () => {
  const open = await startTestBackend({ settings: { auth: { autoconfirm: true } } })
  try {
    const email = anAddress()
    await aServer(open).auth.admin.inviteUserByEmail(email)
    const { json } = await call(open, '/signup', { body: { email, password: STRANGERS } })
    expect(json.code).toBe('user_already_exists')
  } finally {
    await open.close()
  }
})
