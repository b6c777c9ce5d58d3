// A removed member receives nothing sent later, even if the removal happens between the steps of a join or recheck.
// The policy waits for a lock after reading, so each test can pause authorization at its most critical moment.
import { once } from 'node:events'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import {
  aMember,
  aRoom,
  clientsFor,
  closed,
  connectOwner,
  join,
  listen,
  ROOMS_SQL,
  type Member,
} from './realtime-clients.ts'

const GATE = 7007

const GATED_ROOMS_SQL = `${ROOMS_SQL}
  create function public.pass_gate() returns boolean language plpgsql security definer as $$
  begin
    perform pg_advisory_xact_lock_shared(${GATE});
    return true;
  end
  $$;
  create policy "checks take their time" on realtime.messages as restrictive for all to authenticated
    using (realtime.topic() not like 'room:%' or public.pass_gate())
    with check (realtime.topic() not like 'room:%' or public.pass_gate());
  create policy "everyone reads the lobby" on realtime.messages for select to authenticated
    using (realtime.topic() = 'lobby');
`

let backend: TestBackend
let owner: pg.Client
let guard: pg.Client
const client = clientsFor(() => backend)
const isPrivate = { config: { private: true } }

beforeAll(async () => {
  backend = await startTestBackend({ sql: GATED_ROOMS_SQL })
  owner = await connectOwner(backend)
  guard = await connectOwner(backend)
})
beforeEach(() => openGate())
afterAll(async () => {
  await owner?.end()
  await guard?.end()
  await backend?.close()
})

const closeGate = () => guard.query('select pg_advisory_lock($1)', [GATE])
const openGate = () => guard.query('select pg_advisory_unlock_all()')

/** Resolves when `count` authorization checks wait at the gate. */
function checksWaiting(count: number) {
  return vi.waitFor(async () => {
    const { rows } = await owner.query(
      `select count(*)::int as waiting from pg_locks
       where locktype = 'advisory' and objid = ${GATE} and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    expect((rows[0] as { waiting: number }).waiting).toBe(count)
  })
}

async function remove(member: Member, room: string) {
  await owner.query('begin')
  await owner.query('delete from public.room_members where user_id = $1', [member.id])
  await owner.query('select realtime.recheck($1, $2::uuid)', [room, member.id])
  await owner.query('commit')
}

const say = (room: string, event: string) =>
  owner.query('select realtime.send($1, $2, $3)', [{}, event, room])

/** Resolves when the backend has received all notifications sent so far. */
async function aWitness() {
  const channel = (await client(await aMember(backend))).channel('lobby', isPrivate)
  const { received, until } = listen(channel)
  await join(channel)
  return async () => {
    const next = received.length + 1
    await say('lobby', 'ping')
    await until(next)
  }
}

async function anOpenRoom() {
  const [maya, theo] = [await aMember(backend), await aMember(backend)]
  const room = await aRoom(owner, maya, theo)
  const mayas = (await client(maya)).channel(room, isPrivate)
  const theos = (await client(theo)).channel(room, isPrivate)
  const [atMaya, atTheo] = [listen(mayas), listen(theos)]
  await Promise.all([join(mayas), join(theos)])
  return { maya, room, mayas, theos, atMaya, atTheo }
}

test.each([
  ['alone', {}],
  ['with a replay', { broadcast: { replay: { since: 0, limit: 25 } } }],
])('a member removed while a join %s is being authorized is rejected', async (_how, config) => {
  const maya = await aMember(backend)
  const room = await aRoom(owner, maya)
  const announced = await aWitness()
  await closeGate()
  const channel = (await client(maya)).channel(room, { config: { private: true, ...config } })
  const { received } = listen(channel)
  const joined = join(channel)
  joined.catch(() => undefined)
  await checksWaiting(1)
  await remove(maya, room)
  await say(room, 'after')
  await announced()
  await openGate()
  await expect(joined).rejects.toThrow('Unauthorized')
  expect(received).toEqual([])
})

test('a removed member receives nothing sent later, even before the channel is closed', async () => {
  const { maya, room, mayas, atMaya, atTheo } = await anOpenRoom()
  await closeGate()
  await remove(maya, room)
  await say(room, 'after')
  expect(await atTheo.until(1)).toHaveLength(1)
  await checksWaiting(1)
  expect(mayas.state).toBe('joined')
  await openGate()
  await closed(mayas)
  expect(atMaya.received).toEqual([])
})

test('a member who may stay receives everything sent during the recheck, in order', async () => {
  const { maya, room, atMaya, atTheo } = await anOpenRoom()
  await say(room, 'before')
  await closeGate()
  await owner.query('select realtime.recheck($1)', [maya.id])
  for (const event of ['first', 'second']) await say(room, event)
  await atTheo.until(3)
  expect(atMaya.received.map(({ event }) => event)).toEqual(['before'])
  await openGate()
  await atMaya.until(3)
  await say(room, 'after')
  const received = await atMaya.until(4)
  expect(received.map(({ event }) => event)).toEqual(['before', 'first', 'second', 'after'])
})

test('a member removed during another recheck loses the channel', async () => {
  const { maya, room, mayas } = await anOpenRoom()
  const announced = await aWitness()
  await closeGate()
  await owner.query('select realtime.recheck($1)', [maya.id])
  await checksWaiting(1)
  await remove(maya, room)
  await announced()
  await openGate()
  await closed(mayas)
})

test('a right to send revoked during its check is not cached', async () => {
  const { maya, room, mayas, atTheo } = await anOpenRoom()
  const announced = await aWitness()
  await closeGate()
  const sent = mayas.send({ type: 'broadcast', event: 'muted', payload: {} })
  await checksWaiting(1)
  await owner.query('update public.room_members set can_send = false where user_id = $1', [maya.id])
  await owner.query('select realtime.recheck($1)', [maya.id])
  await announced()
  await openGate()
  await sent
  await say(room, 'after')
  await atTheo.until(1)
  expect(atTheo.received.map(({ event }) => event)).toEqual(['after'])
})

test('a member removed while the database connection is lost does not receive missed messages', async () => {
  const { maya, room, mayas, atMaya, atTheo } = await anOpenRoom()
  await closeGate()
  await cutListener()
  await owner.query('delete from public.room_members where user_id = $1', [maya.id])
  await say(room, 'meanwhile')
  await checksWaiting(2)
  await openGate()
  await closed(mayas)
  await atTheo.until(1)
  expect(atMaya.received).toEqual([])
})

async function cutListener() {
  const admin = await connectOwner(backend)
  await admin.query('reset role')
  const ended = once(admin, 'end')
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'listener' and datname = current_database()`)
  await admin.end()
  await ended
}
