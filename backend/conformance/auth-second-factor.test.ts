// Second factors, spoken by the official client: setting up, signing in, removing.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '#auth/limits.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aClient, aDevice, aMember, aServer, bearer, call, sessionOf, sql } from './auth-people.ts'
import {
  answer,
  aProtectedMember,
  assurance,
  enrolled,
  STEP_MS,
} from './auth-second-factor-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend()
})
afterAll(() => backend.close())

test('enrolling gives a QR code, a secret and an address, and changes nothing yet', async () => {
  const { client, email } = await aMember(backend)
  const { data, error } = await client.auth.mfa.enroll({
    factorType: 'totp',
    friendlyName: 'Phone',
    issuer: 'Our Team',
  })
  expect(error).toBeNull()
  expect(data).toMatchObject({ type: 'totp', friendly_name: 'Phone' })
  expect(data?.totp.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(data?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg .*<\/svg>$/s)
  // An unescaped # would end the address of the picture.
  expect(data?.totp.qr_code).not.toContain('#')
  const uri = new URL(data?.totp.uri ?? '')
  expect(decodeURIComponent(uri.pathname)).toContain(`Our Team:${email}`)
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    algorithm: 'SHA1',
    digits: '6',
    issuer: 'Our Team',
    period: '30',
    secret: data?.totp.secret,
  })
  const { data: level } = await client.auth.mfa.getAuthenticatorAssuranceLevel()
  expect(level).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
})

test('without an issuer the address names the site', async () => {
  const { client } = await aMember(backend)
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp' })
  const uri = new URL(data?.totp.uri ?? '')
  expect(uri.searchParams.get('issuer')).toBe(new URL(backend.url).host)
})

test('a challenge names its factor’s kind and when it ends', async () => {
  const { client } = await aMember(backend)
  const { factorId } = await enrolled(client)
  const { data, error } = await client.auth.mfa.challenge({ factorId })
  expect(error).toBeNull()
  const endsIn = (data?.expires_at ?? 0) * 1000 - backend.clock.now()
  expect(data?.type).toBe('totp')
  expect(Math.abs(endsIn - LIMITS.challengeMs)).toBeLessThan(5_000)
})

test('the first correct code turns the factor on and raises the session to aal2', async () => {
  const { client } = await aMember(backend)
  const events: string[] = []
  client.auth.onAuthStateChange((event) => void events.push(event))
  const before = await sessionOf(client)
  const factor = await enrolled(client)
  const { data, error } = await answer(backend, client, factor)
  expect(error).toBeNull()
  expect(data).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
  expect(data?.refresh_token).not.toBe(before.refresh_token)
  expect(events).toContain('MFA_CHALLENGE_VERIFIED')
  const after = await assurance(client)
  expect(after.aal).toBe('aal2')
  expect(after.methods.toSorted()).toEqual(['password', 'totp'])
  const { data: factors } = await client.auth.mfa.listFactors()
  expect(factors?.totp).toMatchObject([{ id: factor.factorId, status: 'verified' }])
  expect(JSON.stringify(factors)).not.toContain(factor.secret)
})

test('aal2 stays through refreshes, and the token from before the code neither works nor ends the session', async () => {
  const { client } = await aMember(backend)
  const { refresh_token: old } = await sessionOf(client)
  await answer(backend, client, await enrolled(client))
  for (let round = 0; round < 3; round++) {
    backend.clock.advance(60_000)
    expect((await client.auth.refreshSession()).error).toBeNull()
    expect(await assurance(client)).toMatchObject({ aal: 'aal2' })
  }
  const { status, json } = await call(backend, '/token?grant_type=refresh_token', {
    body: { refresh_token: old },
  })
  expect([status, json.code]).toEqual([400, 'refresh_token_not_found'])
  expect((await client.auth.refreshSession()).error).toBeNull()
})

test('turning a factor on ends the member’s other sessions, and nobody else’s', async () => {
  const { client, email } = await aMember(backend)
  const elsewhere = await aDevice(backend, email)
  const stranger = await aMember(backend)
  await answer(backend, client, await enrolled(client))
  expect((await elsewhere.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect((await stranger.client.auth.getUser()).error).toBeNull()
  expect((await client.auth.getUser()).error).toBeNull()
})

test('a password alone gives aal1 and says that aal2 is next; the code gives aal2', async () => {
  const member = await aProtectedMember(backend)
  const device = await aDevice(backend, member.email)
  expect((await device.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  })
  expect((await assurance(device)).methods).toEqual(['password'])
  expect((await answer(backend, device, member)).error).toBeNull()
  expect((await device.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    nextLevel: 'aal2',
  })
  // A session that has shown its factor is not ended by another's sign-in.
  expect((await member.client.auth.getUser()).error).toBeNull()
})

test('a password-reset link gives aal1 as well, and cannot change the password', async () => {
  const member = await aProtectedMember(backend)
  const { data } = await aServer(backend).auth.admin.generateLink({
    type: 'recovery',
    email: member.email,
  })
  const device = aClient(backend)
  const opened = await device.auth.verifyOtp({
    type: 'recovery',
    token_hash: data.properties?.hashed_token ?? '',
  })
  expect(opened.error).toBeNull()
  const refused = await device.auth.updateUser({ password: 'brand new words' })
  expect(refused.error).toMatchObject({ status: 401, code: 'insufficient_aal' })
  expect((await answer(backend, device, member)).error).toBeNull()
  expect((await device.auth.updateUser({ password: 'brand new words' })).error).toBeNull()
})

test('with aal1 neither the account nor the list of sessions is open', async () => {
  const member = await aProtectedMember(backend)
  const device = await aDevice(backend, member.email)
  const refused = await device.auth.updateUser({ email: 'elsewhere@example.com' })
  expect(refused.error).toMatchObject({ status: 401, code: 'insufficient_aal' })
  expect((await device.auth.updateUser({ data: { locale: 'es' } })).error).toMatchObject({
    status: 401,
    code: 'insufficient_aal',
  })
  const { access_token } = await sessionOf(device)
  const sessions = await call(backend, '/sessions', {
    method: 'GET',
    headers: bearer(access_token),
  })
  expect([sessions.status, sessions.json.code]).toEqual([401, 'insufficient_aal'])
})

test('a verified factor is removed with aal2 only; the session then is aal1', async () => {
  const member = await aProtectedMember(backend)
  const { factorId } = member
  const device = await aDevice(backend, member.email)
  const refused = await device.auth.mfa.unenroll({ factorId })
  expect(refused.error).toMatchObject({ status: 422, code: 'insufficient_aal' })
  const removed = await member.client.auth.mfa.unenroll({ factorId })
  expect(removed.data).toEqual({ id: factorId })
  await member.client.auth.refreshSession()
  expect(await assurance(member.client)).toMatchObject({ aal: 'aal1', methods: ['password'] })
  expect((await member.client.auth.mfa.listFactors()).data?.all).toEqual([])
  await device.auth.refreshSession()
  expect((await device.auth.mfa.getAuthenticatorAssuranceLevel()).data?.nextLevel).toBe('aal1')
})

test('an unverified factor can be removed with aal1', async () => {
  const { client } = await aMember(backend)
  const { factorId } = await enrolled(client)
  expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull()
})

test('with a verified factor another one is enrolled with aal2 only', async () => {
  const member = await aProtectedMember(backend)
  const device = await aDevice(backend, member.email)
  const refused = await device.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Second' })
  expect(refused.error).toMatchObject({ status: 403, code: 'insufficient_aal' })
  const second = await enrolled(member.client, 'Second')
  expect((await answer(backend, member.client, second)).error).toBeNull()
  // Either counts.
  backend.clock.advance(STEP_MS)
  for (const factor of [member, second]) {
    const another = await aDevice(backend, member.email)
    expect((await answer(backend, another, factor)).error).toBeNull()
  }
})

test('two factors cannot have one name', async () => {
  const { client } = await aMember(backend)
  await enrolled(client, 'Phone')
  const again = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
  expect(again.error).toMatchObject({
    status: 422,
    code: 'mfa_factor_name_conflict',
    message: 'A factor with the friendly name "Phone" for this user already exists',
  })
})

test('an account has a limited number of factors, also when they are enrolled at once', async () => {
  const { client, id } = await aMember(backend)
  const names = Array.from({ length: LIMITS.factorsPerAccount + 3 }, (_, index) => `App ${index}`)
  const results = await Promise.all(
    names.map((friendlyName) => client.auth.mfa.enroll({ factorType: 'totp', friendlyName })),
  )
  const refused = results.filter(({ error }) => error)
  expect(refused).toHaveLength(3)
  expect(refused[0]?.error).toMatchObject({ status: 422, code: 'too_many_enrolled_mfa_factors' })
  const rows = await sql(backend, 'select from auth.mfa_factors where user_id = $1', [id])
  expect(rows).toHaveLength(LIMITS.factorsPerAccount)
})

test('a set-up that was abandoned makes room for the next, one under way stays', async () => {
  const { client } = await aMember(backend)
  await enrolled(client, 'Phone')
  const answered = await enrolled(client, 'Tablet')
  await client.auth.mfa.challenge({ factorId: answered.factorId })
  backend.clock.advance(LIMITS.factorSetUpMs + 1_000)
  await enrolled(client, 'Phone')
  const { data } = await client.auth.mfa.listFactors()
  expect(data?.all.map((factor) => factor.friendly_name).toSorted()).toEqual(['Phone', 'Tablet'])
})

test('turning one factor on removes those that were never finished', async () => {
  const { client } = await aMember(backend)
  await enrolled(client, 'Old phone')
  const factor = await enrolled(client, 'New phone')
  await answer(backend, client, factor)
  const { data } = await client.auth.mfa.listFactors()
  expect(data?.all.map(({ id }) => id)).toEqual([factor.factorId])
})
