// Second factors: who may do what with them, what is refused and what is recorded.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '#auth/limits.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { totpCode } from '../testing/totp-codes.ts'
import {
  aClient,
  aDevice,
  aMember,
  aServer,
  bearer,
  call,
  PASSWORD,
  sessionOf,
  sql,
} from './auth-people.ts'
import {
  answer,
  aProtectedMember,
  assurance,
  aWrongCode,
  enrolled,
} from './auth-second-factor-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend()
})
afterAll(() => backend.close())

test('a member neither sees, answers nor removes another’s factor', async () => {
  const owner = await aProtectedMember(backend)
  const { client } = await aMember(backend)
  const { factorId } = owner
  const missing = { status: 404, code: 'mfa_factor_not_found' }
  expect((await client.auth.mfa.challenge({ factorId })).error).toMatchObject(missing)
  expect((await client.auth.mfa.unenroll({ factorId })).error).toMatchObject(missing)
  const { data } = await owner.client.auth.mfa.challenge({ factorId })
  const code = totpCode(owner.secret, backend.clock.now())
  const verified = await client.auth.mfa.verify({ factorId, challengeId: data?.id ?? '', code })
  expect(verified.error).toMatchObject(missing)
  // Nor with a challenge of somebody else's.
  const own = await enrolled(client)
  const crossed = await client.auth.mfa.verify({
    factorId: own.factorId,
    challengeId: data?.id ?? '',
    code: totpCode(own.secret, backend.clock.now()),
  })
  expect(crossed.error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' })
})

test.each(['phone', 'webauthn'])('a %s factor is refused as hosted Supabase does', async (type) => {
  const { client } = await aMember(backend)
  const { access_token } = await sessionOf(client)
  const { status, json } = await call(backend, '/factors', {
    body: { factor_type: type, friendly_name: 'X', phone: '123456789' },
    headers: bearer(access_token),
  })
  expect([status, json.code]).toEqual([422, `mfa_${type}_enroll_not_enabled`])
})

test('a malformed request is refused with the matching error code', async () => {
  const { client } = await aMember(backend)
  const headers = bearer((await sessionOf(client)).access_token)
  const { factorId } = await enrolled(client)
  const post = async (path: string, body: unknown) => {
    const { status, json } = await call(backend, path, { body, headers })
    return [status, json.code]
  }
  expect(await post('/factors', { factor_type: 'face' })).toEqual([400, 'validation_failed'])
  const long = 'x'.repeat(LIMITS.factorNameLength + 1)
  expect(await post('/factors', { factor_type: 'totp', friendly_name: long })).toEqual([
    400,
    'validation_failed',
  ])
  expect(await post('/factors/none/challenge', {})).toEqual([404, 'validation_failed'])
  expect(await post(`/factors/${factorId}/verify`, { challenge_id: factorId })).toEqual([
    400,
    'validation_failed',
  ])
  expect(await post(`/factors/${factorId}/verify`, { challenge_id: 'x', code: '1' })).toEqual([
    400,
    'bad_json',
  ])
  expect((await call(backend, '/factors', { body: { factor_type: 'totp' } })).status).toBe(401)
})

test('a trusted server lists and removes factors; the sessions are lowered', async () => {
  const member = await aProtectedMember(backend)
  const { mfa } = aServer(backend).auth.admin
  const listed = await mfa.listFactors({ userId: member.id })
  expect(listed.error).toBeNull()
  expect(listed.data?.factors).toMatchObject([{ id: member.factorId, status: 'verified' }])
  expect(JSON.stringify(listed)).not.toContain(member.secret)
  const removed = await mfa.deleteFactor({ userId: member.id, id: member.factorId })
  expect(removed.error).toBeNull()
  const again = await mfa.deleteFactor({ userId: member.id, id: member.factorId })
  expect(again.error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
  await member.client.auth.refreshSession()
  expect(await assurance(member.client)).toMatchObject({ aal: 'aal1' })
})

test('a member cannot call what is for trusted servers', async () => {
  const member = await aProtectedMember(backend)
  const headers = bearer((await sessionOf(member.client)).access_token)
  for (const [method, path] of [
    ['GET', `/admin/users/${member.id}/factors`],
    ['DELETE', `/admin/users/${member.id}/factors/${member.factorId}`],
  ] as const) {
    const { status, json } = await call(backend, path, { method, headers })
    expect([status, json.code]).toEqual([403, 'not_admin'])
  }
})

test('the audit log tells of each step, without secrets and codes', async () => {
  const member = await aProtectedMember(backend)
  const device = await aDevice(backend, member.email)
  await device.auth.mfa.challengeAndVerify({
    factorId: member.factorId,
    code: aWrongCode(backend, member.secret),
  })
  await member.client.auth.mfa.unenroll({ factorId: member.factorId })
  const rows = await sql<{ action: string; type: string; text: string }>(
    backend,
    `select payload ->> 'action' as action, payload ->> 'log_type' as type, payload::text as text
     from auth.audit_log_entries
     where payload ->> 'actor_id' = $1 and payload ->> 'log_type' = 'factor' order by created_at`,
    [member.id],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'factor_in_progress',
    'challenge_created',
    'verification_attempted',
    'challenge_created',
    'factor_unenrolled',
  ])
  expect(rows.some(({ text }) => text.includes(member.secret))).toBe(false)
})

test('a deleted account takes its factors along, softly too', async () => {
  for (const isSoft of [true, false]) {
    const member = await aProtectedMember(backend)
    await aServer(backend).auth.admin.deleteUser(member.id, isSoft)
    const rows = await sql(backend, 'select from auth.mfa_factors where user_id = $1', [member.id])
    expect(rows).toEqual([])
  }
})

test('a suspended member cannot answer a challenge', async () => {
  const member = await aProtectedMember(backend)
  const device = await aDevice(backend, member.email)
  await aServer(backend).auth.admin.updateUserById(member.id, { ban_duration: '1h' })
  const { error } = await answer(backend, device, member)
  expect(error?.code).toBe('user_banned')
  const signIn = await aClient(backend).auth.signInWithPassword({
    email: member.email,
    password: PASSWORD,
  })
  expect(signIn.error?.code).toBe('user_banned')
})
