import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '#auth/limits.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import {
  aClient,
  aDevice,
  aMember,
  bearer,
  call,
  memoryStorage,
  PASSWORD,
  sessionOf,
  sql,
} from './auth-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend()
})
afterAll(() => backend.close())

const refresh = (refreshToken: string) =>
  call(backend, '/token?grant_type=refresh_token', { body: { refresh_token: refreshToken } })

test('a refresh replaces both tokens and keeps the session', async () => {
  const { client } = await aMember(backend)
  const before = await sessionOf(client)
  backend.clock.advance(1_000)
  const { data, error } = await client.auth.refreshSession()
  expect(error).toBeNull()
  expect(data.session?.refresh_token).not.toBe(before.refresh_token)
  expect(data.session?.access_token).not.toBe(before.access_token)
  const claims = (await client.auth.getClaims()).data?.claims
  const old = (await client.auth.getClaims(before.access_token)).data?.claims
  expect(claims?.session_id).toBe(old?.session_id)
  expect(claims?.amr).toEqual(old?.amr)
})

test('two tabs that refresh concurrently end up with the same token', async () => {
  const { client } = await aMember(backend)
  const { refresh_token: shared } = await sessionOf(client)
  const responses = await Promise.all(Array.from({ length: 6 }, () => refresh(shared)))
  expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200, 200, 200])
  expect(new Set(responses.map((response) => response.json.refresh_token)).size).toBe(1)
  const next = await refresh(String(responses[0]?.json.refresh_token))
  expect(next.status).toBe(200)
})

test('two tabs with shared storage refresh without signing each other out', async () => {
  const { email } = await aMember(backend)
  const storage = memoryStorage()
  const tab = aClient(backend, { storage })
  await tab.auth.signInWithPassword({ email, password: PASSWORD })
  const otherTab = aClient(backend, { storage })
  await otherTab.auth.getSession()
  const results = await Promise.all([tab.auth.refreshSession(), otherTab.auth.refreshSession()])
  // The slower tab discards its response, because the storage already has a newer one.
  const failures = results.map(({ error }) => error?.name).filter(Boolean)
  expect(failures.every((name) => name === 'AuthRefreshDiscardedError')).toBe(true)
  expect((await tab.auth.getUser()).error).toBeNull()
  expect((await otherTab.auth.getUser()).error).toBeNull()
})

test('a client that lost the response can reuse its last token, even later', async () => {
  const { client } = await aMember(backend)
  const { refresh_token: first } = await sessionOf(client)
  const lost = await refresh(first)
  backend.clock.advance(60_000)
  const again = await refresh(first)
  expect(again.status).toBe(200)
  expect(again.json.refresh_token).toBe(lost.json.refresh_token)
})

test('within the reuse interval an older token returns the current one', async () => {
  const { client } = await aMember(backend)
  const { refresh_token: first } = await sessionOf(client)
  const second = String((await refresh(first)).json.refresh_token)
  const third = String((await refresh(second)).json.refresh_token)
  const late = await refresh(first)
  expect(late.status).toBe(200)
  expect(late.json.refresh_token).toBe(third)
})

test('reuse of a replaced token revokes the whole family', async () => {
  const { client, email } = await aMember(backend)
  const elsewhere = await aDevice(backend, email)
  const { refresh_token: stolen } = await sessionOf(client)
  await client.auth.refreshSession()
  await client.auth.refreshSession()
  backend.clock.advance(11_000)

  const thief = await refresh(stolen)
  expect(thief.status).toBe(400)
  expect(thief.json).toEqual({
    code: 'refresh_token_already_used',
    message: 'Invalid Refresh Token: Already Used',
  })
  const { error } = await client.auth.refreshSession()
  expect(error).toMatchObject({ code: 'refresh_token_already_used' })
  expect((await elsewhere.auth.refreshSession()).error).toBeNull()
})

test('an unknown refresh token is rejected', async () => {
  const { status, json } = await refresh('made-up')
  expect(status).toBe(400)
  expect(json).toEqual({
    code: 'refresh_token_not_found',
    message: 'Invalid Refresh Token: Refresh Token Not Found',
  })
})

test('the database stores no usable refresh token', async () => {
  const { client } = await aMember(backend)
  const { refresh_token } = await sessionOf(client)
  const rows = await sql<{ row: string }>(
    backend,
    `select t::text as row from auth.refresh_tokens t union all select s::text from auth.sessions s`,
  )
  expect(rows.some(({ row }) => row.includes(refresh_token))).toBe(false)
})

test('an access token expires after an hour, and can be refreshed', async () => {
  const { client } = await aMember(backend)
  const { access_token, refresh_token } = await sessionOf(client)
  backend.clock.advance(3_601_000)
  const late = await call(backend, '/user', { method: 'GET', headers: bearer(access_token) })
  expect(late.status).toBe(403)
  expect(late.json.code).toBe('bad_jwt')
  const renewed = await refresh(refresh_token)
  expect(renewed.status).toBe(200)
  const access = String(renewed.json.access_token)
  const user = await call(backend, '/user', { method: 'GET', headers: bearer(access) })
  expect(user.status).toBe(200)
})

test.each([-10, 10])(
  'a device whose clock is %i minutes off signs in, refreshes and stays signed in',
  async (minutes) => {
    const service = await startTestBackend()
    try {
      const { email } = await aMember(service)
      // The client uses the real clock; the service's is ahead or behind.
      service.clock.advance(-minutes * 60_000)
      const client = aClient(service)
      const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD })
      expect(error).toBeNull()
      expect((await client.auth.getUser()).error).toBeNull()
      expect((await client.auth.getSession()).data.session).not.toBeNull()
      expect((await client.auth.refreshSession()).error).toBeNull()
      expect((await client.auth.getUser()).error).toBeNull()
    } finally {
      await service.close()
    }
  },
)

test('signing out of this device leaves the others signed in', async () => {
  const { client, email } = await aMember(backend)
  const other = await aDevice(backend, email)
  const { access_token } = await sessionOf(client)
  expect((await client.auth.signOut({ scope: 'local' })).error).toBeNull()
  const gone = await call(backend, '/user', { method: 'GET', headers: bearer(access_token) })
  expect(gone.status).toBe(403)
  expect(gone.json.code).toBe('session_not_found')
  expect((await other.auth.getUser()).error).toBeNull()
})

test('signing out the other devices keeps this one signed in', async () => {
  const { client, email } = await aMember(backend)
  const other = await aDevice(backend, email)
  expect((await client.auth.signOut({ scope: 'others' })).error).toBeNull()
  expect((await other.auth.refreshSession()).error?.code).toBe('refresh_token_not_found')
  expect((await client.auth.refreshSession()).error).toBeNull()
})

test('signing out everywhere ends all sessions of the member, and no others', async () => {
  const { client, email } = await aMember(backend)
  const other = await aDevice(backend, email)
  const stranger = await aMember(backend)
  expect((await client.auth.signOut({ scope: 'global' })).error).toBeNull()
  expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect((await stranger.client.auth.getUser()).error).toBeNull()
})

test('an unknown sign-out scope is rejected', async () => {
  const { client } = await aMember(backend)
  const { access_token } = await sessionOf(client)
  const { status, json } = await call(backend, '/logout?scope=galaxy', {
    headers: bearer(access_token),
  })
  expect(status).toBe(400)
  expect(json.code).toBe('validation_failed')
})

test('a member can list their sessions and end one, but not another member’s', async () => {
  const { client, email } = await aMember(backend)
  const other = await aDevice(backend, email)
  const headers = bearer((await sessionOf(client)).access_token)
  const list = async () =>
    (await call(backend, '/sessions', { method: 'GET', headers })).json.sessions as {
      id: string
      is_current: boolean
      user_agent: string
    }[]
  const sessions = await list()
  expect(sessions).toHaveLength(2)
  const there = sessions.find((session) => !session.is_current)

  const stranger = bearer((await sessionOf((await aMember(backend)).client)).access_token)
  const path = `/sessions/${there?.id}`
  expect((await call(backend, path, { method: 'DELETE', headers: stranger })).status).toBe(404)
  expect((await call(backend, path, { method: 'DELETE', headers })).status).toBe(204)
  expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect(await list()).toHaveLength(1)
})

test('every step is in the audit log', async () => {
  const { client, id } = await aMember(backend)
  await client.auth.refreshSession()
  await client.auth.signOut()
  const rows = await sql<{ action: string }>(
    backend,
    `select payload ->> 'action' as action from auth.audit_log_entries
     where payload ->> 'actor_id' = $1 order by created_at`,
    [id],
  )
  expect(rows.map(({ action }) => action)).toEqual(['login', 'token_refreshed', 'logout'])
})

test('a new session beyond the most of an account ends the one unused longest', async () => {
  const { email, id, client } = await aMember(backend)
  const { refresh_token: used } = await sessionOf(client)
  const unused = await aDevice(backend, email)
  backend.clock.advance(60_000)
  await refresh(used)
  // All but the two were opened in between.
  await sql(
    backend,
    `insert into auth.sessions (id, user_id, created_at, ip)
     select gen_random_uuid(), $1, now() + interval '1 year', '127.0.0.1' from generate_series(1, $2)`,
    [id, LIMITS.sessionsPerAccount - 2],
  )
  await aDevice(backend, email)
  const rows = await sql(
    backend,
    'select count(*)::int as count from auth.sessions where user_id = $1',
    [id],
  )
  expect(rows).toEqual([{ count: LIMITS.sessionsPerAccount }])
  expect((await client.auth.getUser()).error).toBeNull()
  expect((await unused.auth.refreshSession()).error?.code).toBe('refresh_token_not_found')
})
