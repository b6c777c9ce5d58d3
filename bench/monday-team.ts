// The team of the Monday morning: members with a password, groups of twenty, devices with push, last week's messages.
import { createECDH, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { findRunningCluster } from 'backend/postgres/embedded-cluster.ts'

export const PASSWORD = 'rally-demo'
export const GROUP_SIZE = 20
const DEVICE_SHARE = 0.6
const OLD_MESSAGES = 200_000

export const memberId = (index: number) =>
  `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
export const groupId = (index: number) =>
  `11111111-0000-4000-8000-${String(Math.floor(index / GROUP_SIZE)).padStart(12, '0')}`

/** The database of an installation that runs. */
export async function connectTo(dataDir: string): Promise<pg.Client> {
  const keys = JSON.parse(await readFile(join(dataDir, 'keys.json'), 'utf8')) as {
    databasePassword: string
  }
  const url = await findRunningCluster(dataDir, keys.databasePassword)
  if (!url) throw new Error(`No Postgres runs in ${dataDir}`)
  const client = new pg.Client(url)
  await client.connect()
  return client
}

/** Adds `members` to the demo team, whose password they share. Returns the id of the team chat. */
export async function fillTeam(client: pg.Client, members: number, pushUrl: string) {
  const ecdh = createECDH('prime256v1')
  const p256dh = ecdh.generateKeys().toString('base64url')
  const auth = randomBytes(16).toString('base64url')
  const run = (sql: string, values: unknown[] = []) => client.query<{ id: string }>(sql, values)
  const ids = `select n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as id
    from generate_series(0, ${members - 1}) n`
  // As after years of use; no trigger has to do its work ten thousand times.
  await run('set session_replication_role = replica')
  await run(`insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, created_at,
      updated_at, raw_app_meta_data, raw_user_meta_data)
    select i.id, 'authenticated', 'authenticated', 'm' || n || '@example.com', u.encrypted_password, now(), now(),
      now(), u.raw_app_meta_data, jsonb_build_object('first_name', 'Member', 'last_name', n::text)
    from (${ids}) i, auth.users u where u.email = 'maya.ortiz@example.com'`)
  await run(`insert into private.members (id, email, first_name, last_name, admitted_at)
    select id, 'm' || n || '@example.com', 'Member', n::text, now() from (${ids}) i`)
  await run(`insert into public.chats (id, name, type, created_by)
    select distinct ('11111111-0000-4000-8000-' || lpad((n / ${GROUP_SIZE})::text, 12, '0'))::uuid,
      'Group ' || n / ${GROUP_SIZE}, 'group', '${memberId(0)}'::uuid from (${ids}) i`)
  const { rows } = await run(`select id from public.chats where type = 'mandatory'`)
  const team = rows[0]?.id ?? ''
  await run(
    `insert into private.chat_participants (chat_id, user_id, last_read_at)
     select c, id, now() from (${ids}) i,
       lateral (values ($1::uuid), (('11111111-0000-4000-8000-' || lpad((n / ${GROUP_SIZE})::text, 12, '0'))::uuid)) chat (c)`,
    [team],
  )
  await run(
    `insert into public.chat_messages (chat_id, sender_id, message, sent_at)
     select case when n % 20 = 0 then $1::uuid
         else ('11111111-0000-4000-8000-' || lpad((m / ${GROUP_SIZE})::text, 12, '0'))::uuid end,
       ('00000000-0000-4000-8000-' || lpad(m::text, 12, '0'))::uuid,
       'Message number ' || n || ' about the calls of the day and who takes the next one.',
       now() - make_interval(secs => 30 * (${OLD_MESSAGES} - n))
     from generate_series(1, ${OLD_MESSAGES}) n, lateral (select n * 7919 % ${members}) who (m)`,
    [team],
  )
  await run(
    `insert into public.push_devices (user_id, platform, channel, token, p256dh, auth)
     select id, 'web', 'web', $1 || '/' || n, $2, $3 from (${ids}) i where n % 10 < ${DEVICE_SHARE * 10}`,
    [pushUrl, p256dh, auth],
  )
  await run('reset session_replication_role')
  await run('vacuum analyze')
  await run('checkpoint')
  return { team, devices: Math.round(members * DEVICE_SHARE) }
}
