// An access token outlives its session by up to an hour. Nothing may be read or written with it.
import { randomUUID } from 'node:crypto'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { untilBlocked } from 'backend/testing/until-blocked.ts'
import { aTeam, type Person, type Team } from './team.ts'

const NODE = {
  auth: { persistSession: false, autoRefreshToken: false },
  realtime: { transport: WebSocket as never },
}

let team: Team
beforeAll(async () => {
  team = await aTeam()
})
afterAll(() => team?.close())

/** Another device of the member, with a session of its own. */
async function aDevice({ id }: Person): Promise<{ client: SupabaseClient; sessionId: string }> {
  const sessionId = randomUUID()
  await team.sql(
    'insert into auth.sessions (id, user_id, created_at, updated_at) values ($1, $2, now(), now())',
    [sessionId, id],
  )
  const iat = Math.floor(team.backend.clock.now() / 1000)
  const claims = { sub: id, role: 'authenticated', session_id: sessionId, iat, exp: iat + 3600 }
  const token = await team.backend.tokens.sign(claims)
  const client = createClient(team.backend.url, team.backend.publishableKey, {
    ...NODE,
    accessToken: () => Promise.resolve(token),
  })
  return { client, sessionId }
}

/** What the member can do: read the team and one's own, write, call a function, and list and upload images. */
async function attempts({ id }: Person, client: SupabaseClient) {
  const responses = [
    await client.from('users').select('id').eq('id', id),
    await client.from('notification_settings').select('user_id'),
    await client.from('users').update({ first_name: 'Open' }).eq('id', id),
    await client.rpc('chat_list'),
  ]
  const file = new Blob([Buffer.from('GIF89a')], { type: 'image/gif' })
  const upload = await client.storage.from('images').upload(`${randomUUID()}.gif`, file)
  const listed = await client.storage.from('images').list()
  return {
    statuses: responses.map((response) => response.status),
    mayUpload: !upload.error,
    sees: listed.data?.length ?? 0,
  }
}

const LIVE = { statuses: [200, 200, 204, 200], mayUpload: true, sees: 1 }
const ENDED = { statuses: [401, 401, 401, 401], mayUpload: false, sees: 0 }

test('a session that ended on another device reads and writes nothing, while the others go on', async () => {
  const member = await team.aMember({ isAdmin: true })
  const [open, other] = [await aDevice(member), await aDevice(member)]
  expect(await attempts(member, open.client)).toEqual(LIVE)
  await team.sql('delete from auth.sessions where id = $1', [open.sessionId])
  expect(await attempts(member, open.client)).toEqual(ENDED)
  const refused = await open.client.from('users').select('id')
  expect(refused.error).toMatchObject({ code: 'PT401', message: 'Your session has ended' })
  expect((await attempts(member, other.client)).statuses).toEqual(LIVE.statuses)
})

test('what was mailed before a suspension opens nothing, also not when it is over', async () => {
  const admin = await team.aMember({ isAdmin: true })
  const member = await team.aMember()
  const { auth } = createClient(team.backend.url, team.backend.publishableKey, NODE)
  await auth.resetPasswordForEmail(member.email)
  const link = team.backend.mail.messages().find(({ to }) => to === member.email)?.links[0] ?? ''
  await team.sql("update auth.users set email_change = 'new@example.com' where id = $1", [
    member.id,
  ])
  for (const status of ['suspended', 'active']) {
    const values = { member_id: member.id, status, reason: 'A lost phone' }
    await admin.client.rpc('set_member_status', values).throwOnError()
  }
  const response = await fetch(link, { redirect: 'manual' })
  expect(response.headers.get('location')).toContain('error_code=otp_expired')
  const account = await team.sql('select email_change from auth.users where id = $1', [member.id])
  expect(account).toEqual([{ email_change: '' }])
})

test.each([
  ['suspended', "update auth.users set banned_until = '2999-12-31' where email = $1"],
  ['deleted', 'delete from auth.users where email = $1'],
])('who signs in while they are being %s is refused', async (_, change) => {
  const email = `${randomUUID()}@example.com`
  const { url, publishableKey, secretKey, superuserUrl } = team.backend
  const service = createClient(url, secretKey, NODE)
  const password = 'correct horse'
  await service.auth.admin.createUser({ email, password, email_confirm: true })
  const ending = new pg.Client({ connectionString: superuserUrl })
  await ending.connect()
  await ending.query('begin')
  await ending.query(change, [email])
  const signedIn = createClient(url, publishableKey, NODE).auth.signInWithPassword({
    email,
    password,
  })
  await untilBlocked(team.sql)
  await ending.query('commit')
  await ending.end()
  expect((await signedIn).error).toMatchObject({ status: 400, code: 'user_banned' })
})

test('a suspended account reads and writes nothing, and signs in again when the suspension is over', async () => {
  const member = await team.aMember()
  const { client } = await aDevice(member)
  const suspend = (until: string) =>
    team.sql(`update auth.users set banned_until = now() + $2::interval where id = $1`, [
      member.id,
      until,
    ])
  await suspend('1 day')
  expect((await attempts(member, client)).statuses).toEqual(ENDED.statuses)
  await expect(aDevice(member)).rejects.toThrow('User is banned')
  await suspend('-1 second')
  expect((await attempts(member, client)).statuses).toEqual(ENDED.statuses)
  const again = await aDevice(member)
  expect((await attempts(member, again.client)).statuses).toEqual(LIVE.statuses)
})

test('a session that begins while the account is being suspended is refused', async () => {
  const member = await team.aMember()
  const owner = new pg.Client({ connectionString: team.backend.superuserUrl })
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query(
      `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
      [member.id],
    )
    const beginning = expect(aDevice(member)).rejects.toThrow('User is banned')
    await vi.waitFor(async () => {
      const { rowCount } = await owner.query('select from pg_locks where not granted')
      expect(rowCount).toBe(1)
    })
    await owner.query('commit')
    await beginning
  } finally {
    await owner.end()
  }
})

test('the member’s open devices are notified when a session ends or the account is suspended', async () => {
  const member = await team.aMember()
  const { sessionId } = await aDevice(member)
  const published = () =>
    team.sql(
      `select from realtime.messages
       where event = 'session_ended' and $1 = any (coalesce(topics, array[topic]))`,
      [`user:${member.id}`],
    )
  await team.sql('delete from auth.sessions where id = $1', [sessionId])
  expect(await published()).toHaveLength(1)
  await aDevice(member)
  await team.sql(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [
    member.id,
  ])
  expect(await published()).toHaveLength(2)
})
