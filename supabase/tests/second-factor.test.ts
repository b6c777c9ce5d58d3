// What the database makes of a second factor: who is let in, recovery codes, the admins' reset and the team's rule.
import { randomUUID } from 'node:crypto'
import { REALTIME_SUBSCRIBE_STATES, type SupabaseClient } from '@supabase/supabase-js'
import { totpCode } from 'backend/testing/totp-codes.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  aClient,
  adminsNeedFactor,
  aDevice,
  aFactor,
  aToken,
  noFactor,
  verifyFactor,
  type Device,
} from './assurance-sessions.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
beforeAll(async () => {
  team = await aTeam()
})
afterEach(() => adminsNeedFactor(team, false))
afterAll(() => team?.close())

const CODE_FIRST = { code: 'PT403', message: 'Enter your two-step code first' }

/** Reads, writes, calls, lists and uploads. */
async function attempts({ id, client }: Person) {
  const responses = [
    await client.from('users').select('id').eq('id', id),
    await client.from('users').update({ first_name: 'Open' }).eq('id', id),
    await client.rpc('chat_list'),
  ]
  const file = new Blob([Buffer.from('GIF89a')], { type: 'image/gif' })
  const upload = await client.storage.from('images').upload(`${randomUUID()}.gif`, file)
  return { statuses: responses.map(({ status }) => status), mayUpload: !upload.error }
}
const OPEN = [200, 204, 200]
const CLOSED = [403, 403, 403]

/** Whether the client joins this member's live topic. */
const mayJoin = (client: SupabaseClient, id: string) =>
  new Promise<boolean>((resolve) => {
    client.channel(`user:${id}`, { config: { private: true } }).subscribe((status) => {
      if (status !== REALTIME_SUBSCRIBE_STATES.CLOSED)
        resolve(status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED)
    })
  })

/** A member with a second factor and recovery codes, on one device that has shown it. */
async function aProtectedMember(traits = {}) {
  const member = await team.aMember(traits)
  const factorId = await aFactor(team, member)
  const device = await aDevice(team, member, 'aal2')
  const { data, error } = await call<string[]>(device, 'create_recovery_codes')
  if (error) throw error
  return { member, device, factorId, codes: data ?? [] }
}

/** An account to sign in to with a password. */
async function anAccount() {
  const credentials = { email: `${randomUUID()}@example.com`, password: 'rally-demo' }
  const account = { ...credentials, email_confirm: true }
  const { data } = await team.service().client.auth.admin.createUser(account)
  return { credentials, id: data.user?.id ?? '' }
}

/** One with a second factor and a recovery code, too. */
async function aProtectedAccount() {
  const { credentials, id } = await anAccount()
  const person = { ...team.anonymous(), id }
  await aFactor(team, person)
  const device = await aDevice(team, person, 'aal2')
  const { data: codes } = await call<string[]>(device, 'create_recovery_codes')
  return { credentials, id, code: codes?.[0] ?? '' }
}

const use = (device: Device, code: string) => call<string>(device, 'use_recovery_code', { code })
/** What a session goes on with after a code. */
const aRefreshToken: unknown = expect.stringMatching(/^[0-9a-z]{12}$/)

test('without a second factor an aal1 session does everything', async () => {
  const device = await aDevice(team, await team.aMember({ isAdmin: true }), 'aal1')
  expect(await attempts(device)).toEqual({ statuses: OPEN, mayUpload: true })
})

test('with one, an aal1 session reads and writes nothing, and the response says why', async () => {
  const { member, device } = await aProtectedMember({ isAdmin: true })
  const stranger = await aDevice(team, member, 'aal1')
  expect(await attempts(stranger)).toEqual({ statuses: CLOSED, mayUpload: false })
  expect((await stranger.client.from('users').select('id')).error).toMatchObject(CODE_FIRST)
  expect(await attempts(device)).toEqual({ statuses: OPEN, mayUpload: true })
})

test('a factor that was never verified changes nothing', async () => {
  const member = await team.aMember()
  await aFactor(team, member, 'unverified')
  expect((await attempts(await aDevice(team, member, 'aal1'))).statuses).toEqual(OPEN)
})

test('an access token from before the code stays worthless after it', async () => {
  const { member, device } = await aProtectedMember()
  const { sessionId } = device
  const stolen = await aClient(team.backend, { id: member.id, sessionId, aal: 'aal1' })
  expect((await attempts({ ...member, client: stolen })).statuses).toEqual(CLOSED)
})

test('an access token from before the code opens no live topic', async () => {
  const { member, device } = await aProtectedMember()
  const { id, sessionId } = device
  const copy = await aClient(team.backend, { id, sessionId, aal: 'aal1' })
  expect(await mayJoin(copy, id)).toBe(false)
  expect(await mayJoin(device.client, member.id)).toBe(true)
})

test('a copy of an access token is worth nothing once its session shows a code again: no request, no image, no live topic', async () => {
  const { member, device } = await aProtectedMember({ isAdmin: true })
  const { id, sessionId } = device
  const provedAt = team.backend.clock.now() - 10 * 60_000
  const showCode = (at: number) =>
    team.sql(
      `insert into auth.mfa_amr_claims as shown (session_id, created_at, updated_at, authentication_method)
       values ($1, $2, $2, 'totp')
       on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`,
      [sessionId, new Date(at)],
    )
  await showCode(provedAt)
  const copy = await aClient(team.backend, { id, sessionId, aal: 'aal2', provedAt })
  expect(await attempts({ ...member, client: copy })).toEqual({ statuses: OPEN, mayUpload: true })
  const newer = team.backend.clock.now()
  await showCode(newer)
  expect(await attempts({ ...member, client: copy })).toEqual({
    statuses: CLOSED,
    mayUpload: false,
  })
  expect(await mayJoin(copy, id)).toBe(false)
  const client = await aClient(team.backend, { id, sessionId, aal: 'aal2', provedAt: newer })
  expect(await attempts({ ...member, client })).toEqual({ statuses: OPEN, mayUpload: true })
  expect(await mayJoin(client, id)).toBe(true)
})

test('a copy stays worthless when the authenticator app is changed for another', async () => {
  const { member, device, factorId } = await aProtectedMember()
  const { id, sessionId } = device
  const before = team.backend.clock.now() - 10 * 60_000
  const ageOf = (minutes: number) => new Date(team.backend.clock.now() - minutes * 60_000)
  await team.sql(
    `insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method)
     values ($1, $2, $3, 'totp')`,
    [sessionId, ageOf(30), ageOf(1)],
  )
  await aFactor(team, member)
  await team.sql('delete from auth.mfa_factors where id = $1', [factorId])
  for (const aal of ['aal1', 'aal2'] as const) {
    const copy = await aClient(team.backend, { id, sessionId, aal, provedAt: before })
    expect(await mayJoin(copy, id), aal).toBe(false)
  }
  const { client } = device
  expect(await mayJoin(client, id)).toBe(true)
})

test('an image is opened by the address that a member with a second factor signed, until a later code', async () => {
  const { device } = await aProtectedMember({ isAdmin: true })
  const images = device.client.storage.from('images')
  const path = `${randomUUID()}.gif`
  const file = new Blob([Buffer.from('GIF89a')], { type: 'image/gif' })
  expect((await images.upload(path, file)).error).toBeNull()
  const { data } = await images.createSignedUrl(path, 60)
  expect((await fetch(data!.signedUrl)).status).toBe(200)
  await team.sql(
    `insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method)
     values ($1, now(), now() + interval '1 minute', 'totp')`,
    [device.sessionId],
  )
  expect((await fetch(data!.signedUrl)).ok).toBe(false)
})

test('a token that claims aal2 in an aal1 session is refused', async () => {
  const { member } = await aProtectedMember()
  const { sessionId } = await aDevice(team, member, 'aal1')
  const claiming = await aClient(team.backend, { id: member.id, sessionId, aal: 'aal2' })
  expect((await attempts({ ...member, client: claiming })).statuses).toEqual(CLOSED)
})

test('a recovery code opens the session in place of the factor, and ends the others', async () => {
  const { member, device, codes } = await aProtectedMember()
  const lost = await aDevice(team, member, 'aal1')
  expect((await use(lost, codes[3] ?? '')).data).toEqual(aRefreshToken)
  const [session] = await team.sql(
    `select s.aal, c.authentication_method as method from auth.sessions s
     join auth.mfa_amr_claims c on c.session_id = s.id where s.id = $1`,
    [lost.sessionId],
  )
  expect(session).toEqual({ aal: 'aal2', method: 'totp' })
  // The next access token says so.
  const client = await aClient(team.backend, { ...lost, aal: 'aal2' })
  expect((await attempts({ ...member, client })).statuses).toEqual(OPEN)
  expect((await attempts(device)).statuses).toEqual([401, 401, 401])
  const left = await call<number>({ ...member, client }, 'recovery_codes_left')
  expect(left.data).toBe(9)
})

/** An account of which a thief has copies: of the session that owes the code, and of the tokens it was refreshed to. */
async function aCopiedSession() {
  const { credentials, code } = await aProtectedAccount()
  const owner = team.anonymous().client
  const { data } = await owner.auth.signInWithPassword(credentials)
  const copies = [data.session?.refresh_token ?? '']
  const thief = team.anonymous().client
  for (let step = 0; step < 2; step++) {
    const next = await thief.auth.refreshSession({ refresh_token: copies.at(-1) ?? '' })
    copies.push(next.data.session?.refresh_token ?? '')
  }
  return { owner, code, copies }
}

test('a recovery code hands out the only refresh token of its session, and copies from before are worth nothing', async () => {
  const { owner, code, copies } = await aCopiedSession()
  const result = await owner.rpc('use_recovery_code', { code })
  const token: unknown = result.data
  expect(token).toEqual(aRefreshToken)
  const expectWorthless = async () => {
    for (const refresh_token of copies) {
      const { error } = await team.anonymous().client.auth.refreshSession({ refresh_token })
      expect(error).toMatchObject({ code: 'refresh_token_not_found' })
    }
  }
  await expectWorthless()
  await owner.auth.refreshSession({ refresh_token: String(token) })
  await expectWorthless()
  expect((await owner.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    nextLevel: 'aal2',
  })
  expect((await owner.from('users').select('id').limit(1)).error).toBeNull()
})

test('a thief who refreshes a copy while the code is on its way gets nowhere, in whatever order they arrive', async () => {
  const { owner, code, copies } = await aCopiedSession()
  const thief = team.anonymous().client
  const results = await Promise.all([
    ...copies.map((refresh_token) => thief.auth.refreshSession({ refresh_token })),
    owner.rpc('use_recovery_code', { code }).then(({ data }) => data as string),
    ...copies.map((refresh_token) => thief.auth.refreshSession({ refresh_token })),
  ])
  const token = results.find((result) => typeof result === 'string') ?? ''
  for (const result of results) {
    if (typeof result === 'string' || !result.data.session) continue
    const { refresh_token } = result.data.session
    expect((await thief.auth.refreshSession({ refresh_token })).error).not.toBeNull()
    expect((await thief.from('users').select('id').limit(1)).status).toBeGreaterThanOrEqual(400)
  }
  expect((await owner.auth.refreshSession({ refresh_token: token })).error).toBeNull()
  expect((await owner.from('users').select('id').limit(1)).error).toBeNull()
})

test('if the response is lost, the same code is accepted again for two minutes, in its session alone', async () => {
  const { credentials, id, code } = await aProtectedAccount()
  const { client } = team.anonymous()
  await client.auth.signInWithPassword(credentials)
  const redeem = async () => (await client.rpc('use_recovery_code', { code })).data as string
  const lost = await redeem()
  expect((await client.rpc('use_recovery_code', { code: 'wrong-wrong' })).data).toBeNull()
  const again = await redeem()
  expect([lost, again]).toEqual([aRefreshToken, aRefreshToken])
  const late = await team.anonymous().client.auth.refreshSession({ refresh_token: lost })
  expect(late.error).toMatchObject({ code: 'refresh_token_not_found' })
  const elsewhere = await aDevice(team, { ...team.anonymous(), id }, 'aal1')
  expect((await use(elsewhere, code)).data).toBeNull()
  await team.sql(
    `update private.recovery_attempts set redeemed_at = now() - interval '121 seconds'
     where session_id in (select id from auth.sessions where user_id = $1)`,
    [id],
  )
  expect(await redeem()).toBeNull()
  expect((await client.auth.refreshSession({ refresh_token: again })).error).toBeNull()
})

test('there are ten codes that nobody guesses, stored as slow hashes', async () => {
  const { member, codes } = await aProtectedMember()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes)
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/)
  const stored = await team.sql<{ code_hash: string }>(
    'select code_hash from private.recovery_codes where user_id = $1',
    [member.id],
  )
  expect(stored).toHaveLength(10)
  for (const { code_hash } of stored) expect(code_hash).toMatch(/^\$2a\$08\$/)
})

test('a code works once, as it was typed from paper, and for its owner alone', async () => {
  const { member, codes } = await aProtectedMember()
  const other = await aProtectedMember()
  const code = codes[0] ?? ''
  const stranger = await aDevice(team, other.member, 'aal1')
  expect((await use(stranger, code)).data).toBeNull()
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')} `
  expect((await use(await aDevice(team, member, 'aal1'), typed)).data).toEqual(aRefreshToken)
  expect((await use(await aDevice(team, member, 'aal1'), code)).data).toBeNull()
})

test('of two devices that type one code at the same moment, one gets in', async () => {
  const { member, codes } = await aProtectedMember()
  const devices = [await aDevice(team, member, 'aal1'), await aDevice(team, member, 'aal1')]
  const results = await Promise.all(devices.map((device) => use(device, codes[0] ?? '')))
  expect(results.filter(({ data }) => data)).toHaveLength(1)
})

test('a session may try ten codes an hour, also at once; then not even the right one works', async () => {
  const { member, codes } = await aProtectedMember()
  const device = await aDevice(team, member, 'aal1')
  const tries = await Promise.all(Array.from({ length: 12 }, () => use(device, 'wrong-wrong')))
  expect(tries.filter(({ data, error }) => data === null && !error)).toHaveLength(10)
  const refused = await use(device, codes[0] ?? '')
  expect(refused.error).toMatchObject({
    code: 'PT429',
    message: 'Too many recovery codes: at most 10 an hour',
  })
  await team.sql(
    `update private.recovery_attempts set since = now() - interval '61 minutes'
     where session_id in (select id from auth.sessions where user_id = $1)`,
    [member.id],
  )
  expect((await use(device, codes[0] ?? '')).data).toEqual(aRefreshToken)
})

test('the password alone does not use up the owner’s tries', async () => {
  const { member, codes } = await aProtectedMember()
  const thief = await aDevice(team, member, 'aal1')
  for (let tries = 0; tries < 11; tries += 1) await use(thief, 'wrong-wrong')
  expect((await use(thief, codes[0] ?? '')).error).toMatchObject({ code: 'PT429' })
  expect((await use(await aDevice(team, member, 'aal1'), codes[0] ?? '')).data).toEqual(
    aRefreshToken,
  )
})

test('two devices that type two right codes at the same moment take turns: the first ends the other’s session', async () => {
  const { member, codes } = await aProtectedMember()
  const devices = [await aDevice(team, member, 'aal1'), await aDevice(team, member, 'aal1')]
  const results = await Promise.all(devices.map((device, n) => use(device, codes[n] ?? '')))
  expect(results.filter(({ data }) => data)).toHaveLength(1)
  // The other is told that its session has ended or that there is no such code: either may come first.
  const [late] = results.filter(({ data }) => !data)
  expect(late?.error?.code ?? 'no such code').toMatch(/^PT401$|^no such code$/)
})

test('a session that has yet to show its factor calls nothing else in its place', async () => {
  const { member, codes } = await aProtectedMember()
  const device = await aDevice(team, member, 'aal1')
  const refused = await Promise.all([
    device.client.rpc('create_recovery_codes'),
    device.client.rpc('recovery_codes_left'),
    device.client.rpc('email_confirmed', { user_id: member.id }),
    device.client.rpc('use_recovery_code', { code: codes[0] }, { get: true }),
  ])
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 405])
})

test('new codes replace the old ones, and need the factor', async () => {
  const { member, device, codes } = await aProtectedMember()
  const { data: fresh } = await call<string[]>(device, 'create_recovery_codes')
  expect((await use(await aDevice(team, member, 'aal1'), codes[0] ?? '')).data).toBeNull()
  expect((await use(await aDevice(team, member, 'aal1'), fresh?.[0] ?? '')).data).toEqual(
    aRefreshToken,
  )
  const without = await aDevice(team, await team.aMember(), 'aal1')
  expect((await call(without, 'create_recovery_codes')).error).toMatchObject({
    code: '42501',
    message: 'Turn on two-step verification first',
  })
})

test('codes go with the factor, and do not come back with the next one', async () => {
  const { member, factorId, codes } = await aProtectedMember()
  await team.sql('delete from auth.mfa_factors where id = $1', [factorId])
  await aFactor(team, member)
  expect((await use(await aDevice(team, member, 'aal1'), codes[0] ?? '')).data).toBeNull()
})

test('an admin resets a member’s second factor: it is gone, every session too, and the log says why', async () => {
  const { member, device } = await aProtectedMember()
  const admin = await aDevice(team, await team.aMember({ isAdmin: true }), 'aal1')
  const reset = () =>
    call<boolean>(admin, 'reset_second_factor', { member_id: member.id, reason: ' Lost phone ' })
  expect((await reset()).data).toBe(true)
  expect((await attempts(device)).statuses).toEqual([401, 401, 401])
  expect((await attempts(await aDevice(team, member, 'aal1'))).statuses).toEqual(OPEN)
  const entries = await team.sql(
    `select actor_id, object_id, details from private.audit_log
     where action = 'second_factor_reset' and object_id = $1`,
    [member.id],
  )
  expect(entries).toEqual([
    { actor_id: admin.id, object_id: member.id, details: { reason: 'Lost phone' } },
  ])
  // Pressed twice.
  expect(await reset()).toMatchObject({ data: false, error: null })
})

test('a reset takes an admin, somebody else’s factor and a reason', async () => {
  const { member } = await aProtectedMember()
  const { device: admin } = await aProtectedMember({ isAdmin: true })
  const other = await team.aMember()
  const reset = async (by: Person, id: string, reason: string) => {
    const { error } = await call(by, 'reset_second_factor', { member_id: id, reason })
    return error?.message
  }
  expect(await reset(other, member.id, 'x')).toBe('Only an admin resets two-step verification')
  expect(await reset(admin, admin.id, 'x')).toMatch(/^Turn off your own/)
  expect(await reset(admin, member.id, '  ')).toBe('Give a reason')
  expect(await reset(admin, member.id, 'x'.repeat(201))).toBe('Reason is at most 200 characters')
})

test('where admins need a second factor, admin rights hold with aal2 only', async () => {
  const { member, device } = await aProtectedMember({ isAdmin: true })
  const without = await aDevice(team, await team.aMember({ isAdmin: true }), 'aal1')
  await adminsNeedFactor(team, true)
  const insert = (by: Person) => by.client.from('home_content').insert({ title: 'News' })
  expect((await insert(device)).error).toBeNull()
  expect((await insert(without)).error).toMatchObject({ code: '42501' })
  expect((await call(without, 'acts_as_admin')).data).toBe(false)
  expect((await call(device, 'acts_as_admin')).data).toBe(true)
  // They are members all the same.
  expect((await attempts(without)).statuses).toEqual(OPEN)
  // A factor that was taken away counts no longer, whatever the token says.
  await noFactor(team, member)
  await team.sql(`update auth.sessions set aal = 'aal1' where id = $1`, [device.sessionId])
  expect((await insert(device)).error).toMatchObject({ code: '42501' })
})

test('only an admin with an aal2 session can require a second factor of admins', async () => {
  const admin = await team.aMember({ isAdmin: true })
  const set = async (by: Person, isNeeded: boolean) => {
    const { error, data } = await by.client
      .from('team_settings')
      .update({ admins_need_second_factor: isNeeded })
      .eq('id', true)
      .select('id')
    return error?.message ?? data?.length
  }
  const without = await aDevice(team, admin, 'aal1')
  expect(await set(without, true)).toBe('Turn on two-step verification for yourself first')
  expect(await set(without, false)).toBe(1)
  const { device } = await aProtectedMember({ isAdmin: true })
  expect(await set(device, true)).toBe(1)
  // Who is no admin at the moment cannot lift the rule either.
  expect(await set(without, false)).toBe(0)
  expect(await set(device, false)).toBe(1)
})

test('an admin who lacks the factor loses the admins’ live topic at once', async () => {
  const without = await aDevice(team, await team.aMember({ isAdmin: true }), 'aal1')
  const channel = without.client.channel('admins', { config: { private: true } })
  const states: string[] = []
  await new Promise<void>((resolve) => {
    channel.subscribe((status) => {
      states.push(status)
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve()
    })
  })
  await adminsNeedFactor(team, true)
  await expect.poll(() => states.at(-1)).not.toBe('SUBSCRIBED')
  await without.client.removeAllChannels()
  await without.client.realtime.disconnect()
})

test('turning two-step verification on and off is in the audit log, a reset once', async () => {
  const member = await team.aMember()
  const actions = async () =>
    (
      await team.sql<{ action: string }>(
        `select action from private.audit_log where object_id = $1 and action like 'second%' order by id`,
        [member.id],
      )
    ).map(({ action }) => action)
  const turnOn = async () => verifyFactor(team, member, await aFactor(team, member, 'unverified'))
  await turnOn()
  await team.sql('delete from auth.mfa_factors where user_id = $1', [member.id])
  expect(await actions()).toEqual(['second_factor_on', 'second_factor_off'])
  const [on] = await team.sql<{ actor_id: string }>(
    `select actor_id from private.audit_log where object_id = $1 and action = 'second_factor_on'`,
    [member.id],
  )
  expect(on?.actor_id).toBe(member.id)
  await turnOn()
  const admin = await team.aMember({ isAdmin: true })
  const reset = { member_id: member.id, reason: 'Lost phone' }
  expect((await call(admin, 'reset_second_factor', reset)).error).toBeNull()
  expect((await actions()).slice(2)).toEqual(['second_factor_on', 'second_factor_reset'])
})

test('an authenticator app that comes or goes besides another is logged and mailed as such', async () => {
  const member = await team.aMember()
  const factors = [await aFactor(team, member, 'unverified')]
  await verifyFactor(team, member, factors[0]!)
  factors.push(await aFactor(team, member, 'unverified'))
  await verifyFactor(team, member, factors[1]!)
  for (const id of factors) await team.sql('delete from auth.mfa_factors where id = $1', [id])
  const events = ['on', 'added', 'removed', 'off'].map((event) => `second_factor_${event}`)
  const log = await team.sql<{ action: string }>(
    'select action from private.audit_log where object_id = $1 and kind = $2 and action like $3 order by id',
    [member.id, 'member', 'second%'],
  )
  expect(log.map(({ action }) => action)).toEqual(events)
  expect(await mailsTo(member.id)).toEqual(events)
})

/** Signed in, with an authenticator app that is being set up; `answer` types its code. */
async function aSetUp(begun: string) {
  const { credentials, id } = await anAccount()
  const { client } = team.anonymous()
  await client.auth.signInWithPassword(credentials)
  await team.sql(
    'update auth.mfa_amr_claims set created_at = created_at - $2::interval where session_id in (select id from auth.sessions where user_id = $1)',
    [id, begun],
  )
  const answer = async () => {
    const { data } = await client.auth.mfa.enroll({
      factorType: 'totp',
      friendlyName: randomUUID(),
    })
    const code = totpCode(data?.totp.secret ?? '', team.backend.clock.now())
    return client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code })
  }
  return { credentials, id, client, answer }
}

const SIGN_IN_AGAIN = {
  status: 400,
  code: 'reauthentication_needed',
  message: 'Sign in again with your password to turn on two-step verification',
}

test('open channels go on with the token from before the set-up for a minute, in which they get the next', async () => {
  const { id, answer } = await aSetUp('0 minutes')
  const [session] = await team.sql<{ id: string }>(
    'select id from auth.sessions where user_id = $1',
    [id],
  )
  const open = await aClient(team.backend, { id, sessionId: session?.id ?? '', aal: 'aal1' })
  expect((await answer()).error).toBeNull()
  expect(await mayJoin(open, id)).toBe(true)
  await open.removeAllChannels()
  const later =
    "update auth.mfa_amr_claims set created_at = created_at - interval '1 minute' where session_id = $1"
  await team.sql(later, [session?.id])
  expect(await mayJoin(open, id)).toBe(false)
})

test('copies of access tokens stay worthless when two-step verification is turned off, and the owner goes on', async () => {
  const { id, client: owner, answer } = await aSetUp('0 minutes')
  expect((await answer()).error).toBeNull()
  const sessionId = (await owner.auth.getClaims()).data?.claims.session_id ?? ''
  const ago = (minutes: number) => team.backend.clock.now() - minutes * 60_000
  await team.sql(
    `update auth.mfa_amr_claims set updated_at = $2 where session_id = $1 and authentication_method = 'password'`,
    [sessionId, new Date(ago(10))],
  )
  const copies = [
    { id, sessionId, aal: 'aal1', provedAt: ago(10) },
    { id, sessionId, aal: 'aal2', provedAt: ago(5) },
  ] as const
  const factorId = (await owner.auth.mfa.listFactors()).data?.totp[0]?.id ?? ''
  expect((await owner.auth.mfa.unenroll({ factorId })).error).toBeNull()
  for (const copy of copies) {
    const client = await aClient(team.backend, copy)
    expect((await attempts({ id, email: '', client })).statuses, copy.aal).toEqual([401, 401, 401])
    expect(await mayJoin(client, id), copy.aal).toBe(false)
    const enrolled = await fetch(`${team.backend.url}/auth/v1/factors`, {
      method: 'POST',
      headers: {
        apikey: team.backend.publishableKey,
        authorization: `Bearer ${await aToken(team.backend, copy)}`,
      },
      body: JSON.stringify({ factor_type: 'totp', friendly_name: 'A thief’s' }),
    })
    expect(enrolled.status, copy.aal).toBe(401)
  }
  const goesOn = async () => {
    expect((await owner.rpc('chat_list')).error).toBeNull()
    await owner.realtime.setAuth()
    expect(await mayJoin(owner, id)).toBe(true)
    await owner.removeAllChannels()
  }
  await goesOn()
  await owner.auth.refreshSession()
  await goesOn()
})

test('turning on a second factor takes a sign-in of the last 15 minutes: a stolen token locks nobody out', async () => {
  const stolen = await aSetUp('15 minutes')
  // The owner, elsewhere, just signed in.
  const owner = team.anonymous().client
  await owner.auth.signInWithPassword(stolen.credentials)
  expect((await stolen.answer()).error).toMatchObject(SIGN_IN_AGAIN)
  const traces = await team.sql(
    `select from auth.mfa_factors where user_id = $1 and status = 'verified'
     union all select from private.account_mails where user_id = $1 and event like 'second_factor%'`,
    [stolen.id],
  )
  expect(traces).toEqual([])
  expect((await owner.from('users').select('id').limit(1)).error).toBeNull()
  await stolen.client.auth.signInWithPassword(stolen.credentials)
  expect((await stolen.answer()).error).toBeNull()
})

test('in 15 minutes an authenticator app can be installed', async () => {
  const { answer } = await aSetUp('14 minutes')
  expect((await answer()).error).toBeNull()
})

test('a further factor takes as much, so a stolen token of a full session does not replace the owner’s', async () => {
  const { id, client, answer } = await aSetUp('0')
  expect((await answer()).error).toBeNull()
  await team.sql(
    `update auth.mfa_amr_claims set created_at = created_at - interval '15 minutes'
     where authentication_method = 'password' and session_id in (select id from auth.sessions where user_id = $1)`,
    [id],
  )
  expect((await answer()).error).toMatchObject(SIGN_IN_AGAIN)
  const { data } = await client.auth.mfa.listFactors()
  expect(data?.totp).toHaveLength(1)
})

const mailsTo = async (id: string) =>
  (
    await team.sql<{ event: string }>(
      'select event from private.account_mails where user_id = $1 order by id',
      [id],
    )
  ).map(({ event }) => event)

test('a stolen token makes no recovery codes: they take a code or a sign-in of the last 15 minutes', async () => {
  const { device, codes } = await aProtectedMember()
  const provedAt = team.backend.clock.now() - 15 * 60_000
  const client = await aClient(team.backend, { ...device, aal: 'aal2', provedAt })
  expect((await call({ ...device, client }, 'create_recovery_codes')).error).toMatchObject({
    code: 'PT428',
    message: 'Confirm that it is you first',
  })
  expect((await call(device, 'recovery_codes_left')).data).toBe(codes.length)
})

test('a session that owes no code gets nothing for a recovery code, which stays unused', async () => {
  const { device, codes } = await aProtectedMember()
  expect((await use(device, codes[0] ?? '')).data).toBeNull()
  expect((await call(device, 'recovery_codes_left')).data).toBe(codes.length)
})

test('the owner is mailed that recovery codes were replaced or used, not that the first were made', async () => {
  const { member, codes } = await aProtectedMember()
  expect(await mailsTo(member.id)).toEqual([])
  await use(await aDevice(team, member, 'aal1'), codes[0] ?? '')
  await call(await aDevice(team, member, 'aal2'), 'create_recovery_codes')
  expect(await mailsTo(member.id)).toEqual(['recovery_code_used', 'recovery_codes_replaced'])
})
