import type { RealtimeChannel } from '@supabase/supabase-js'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startBackend, type Backend } from '../src/gateway/start-backend.ts'
import { makeInstallationKeys } from '../src/http/installation-keys.ts'
import { freePort } from '../src/postgres/free-port.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { TEST_PASSWORD } from '../testing/passwords.ts'
import {
  aMember,
  aRoom,
  clientsFor,
  connectOwner,
  join,
  listen,
  ROOMS_SQL,
} from './realtime-clients.ts'

let one: TestBackend
let two: TestBackend
let secondProcess: Backend
let owner: pg.Client
const clientOfOne = clientsFor(() => one)
const clientOfTwo = clientsFor(() => two)
const isPrivate = { config: { private: true } }

beforeAll(async () => {
  const keys = { ...(await makeInstallationKeys()), databasePassword: TEST_PASSWORD }
  const { publishableKey, secretKey } = keys
  const first = await startTestBackend({ sql: ROOMS_SQL, settings: { keys } })
  one = { ...first, publishableKey, secretKey }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  secondProcess = await startBackend({
    databaseUrl: one.superuserUrl,
    keys,
    siteUrl: url,
    dataDir: '/nonexistent',
    productName: 'Test',
    realtime: { privateOnly: false },
    log: pino({ level: 'silent' }),
  })
  await secondProcess.app.listen({ port, host: '127.0.0.1' })
  two = { ...one, ...secondProcess, url }
  owner = await connectOwner(one)
})
afterAll(async () => {
  await owner?.end()
  await secondProcess?.close()
  await one?.close()
})

async function aRoomOnBoth() {
  const [maya, theo] = [await aMember(one), await aMember(one)]
  const room = await aRoom(owner, maya, theo)
  const mayas = (await clientOfOne(maya)).channel(room, isPrivate)
  const theos = (await clientOfTwo(theo)).channel(room, isPrivate)
  const [atMaya, atTheo] = [listen(mayas), listen(theos)]
  await Promise.all([join(mayas), join(theos)])
  return { room, mayas, theos, atMaya, atTheo }
}

test('broadcasts from the database reach every process in the same order', async () => {
  const { room, atMaya, atTheo } = await aRoomOnBoth()
  for (let n = 0; n < 20; n++)
    await owner.query('select realtime.send($1, $2, $3)', [
      { n, text: 'x'.repeat(n % 3 === 0 ? 9000 : 10) },
      'said',
      room,
    ])
  for (const receiver of [atMaya, atTheo]) {
    const received = await receiver.until(20)
    expect(received.map(({ payload }) => (payload as { n: number }).n)).toEqual([
      ...Array.from({ length: 20 }).keys(),
    ])
  }
})

test('what many write at the same moment reaches every process once and in one order, and what was undone never', async () => {
  const { room, atMaya, atTheo } = await aRoomOnBoth()
  const admin = await connectOwner(one)
  await admin.query('reset role')
  await admin.query(`create table public.notes (n int primary key, room text not null);
    grant insert on public.notes to service_role;
    create function public.publish_note() returns trigger language plpgsql security definer as $$ begin
      perform realtime.send(jsonb_build_object('n', new.n), 'noted', new.room);
      if new.n % 5 = 0 then raise exception 'undone'; end if;
      return null;
    end $$;
    create trigger publish_note after insert on public.notes for each row execute function public.publish_note();
    notify pgrst, 'reload schema'`)
  const write = (to: TestBackend, n: number) =>
    fetch(`${to.url}/rest/v1/notes`, {
      method: 'POST',
      headers: { apikey: to.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ n, room }),
    }).then((response) => response.status)
  for (const process of [one, two])
    await vi.waitFor(async () => expect(await write(process, 0)).toBe(400))
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1)
  const statuses = await Promise.all([
    ...numbers.map((n) => write(n % 2 ? one : two, n)),
    ...numbers.map((n) =>
      owner.query('insert into public.notes values ($1, $2)', [-n - 1000, room]).catch(() => 0),
    ),
  ])
  expect(statuses.filter((status) => status === 201)).toHaveLength(160)
  const orders = [atMaya, atTheo].map(async ({ until }) =>
    (await until(320)).map(({ payload }) => (payload as { n: number }).n),
  )
  const [order, other] = await Promise.all(orders)
  expect(order).toEqual(other)
  expect(order?.toSorted((a, b) => a - b)).toEqual(
    [...numbers.map((n) => -n - 1000), ...numbers].filter((n) => n % 5).toSorted((a, b) => a - b),
  )
  await admin.end()
})

test('a client’s broadcast reaches clients of other processes, even when it is long', async () => {
  const { mayas, atMaya, atTheo } = await aRoomOnBoth()
  const long = 'é👋'.repeat(20_000)
  await mayas.send({ type: 'broadcast', event: 'typing', payload: { long } })
  await mayas.send({ type: 'broadcast', event: 'bytes', payload: new Uint8Array([255]).buffer })
  const [typing, bytes] = await atTheo.until(2)
  expect((typing!.payload as { long: string }).long).toBe(long)
  expect([...new Uint8Array(bytes?.payload as ArrayBuffer)]).toEqual([255])
  expect(atMaya.received).toEqual([])
})

const present = (channel: RealtimeChannel) => Object.keys(channel.presenceState()).toSorted()

test('members on two processes see each other join and leave', async () => {
  const config = (key: string) => ({ config: { presence: { key, enabled: true } } })
  const ours = (await clientOfOne(null)).channel('lobby', config('one'))
  const connection = await clientOfTwo(null)
  const theirs = connection.channel('lobby', config('two'))
  await Promise.all([join(ours), join(theirs)])
  await Promise.all([ours.track({}), theirs.track({})])
  for (const channel of [ours, theirs])
    await vi.waitFor(() => expect(present(channel)).toEqual(['one', 'two']))
  const late = (await clientOfTwo(null)).channel('lobby', config('late'))
  await join(late)
  await vi.waitFor(() => expect(present(late)).toEqual(['one', 'two']))
  await connection.disconnect()
  await vi.waitFor(() => expect(present(ours)).toEqual(['one']))
})

test('messages sent while the database connection was lost arrive once it is back, even for a busy team', async () => {
  const { room, atMaya, atTheo } = await aRoomOnBoth()
  await owner.query(`insert into realtime.messages (payload, event, topic, private, extension)
    select '{}', 'said elsewhere', 'elsewhere', true, 'broadcast' from generate_series(1, 6000)`)
  await owner.query('select realtime.send($1, $2, $3)', [{}, 'before', room])
  await Promise.all([atMaya.until(1), atTheo.until(1)])
  const admin = await connectOwner(one)
  await admin.query('reset role')
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'listener' and datname = current_database()`)
  await owner.query('select realtime.send($1, $2, $3)', [{}, 'meanwhile', room])
  await owner.query('select realtime.send_to_topics($1, $2, $3)', [{}, 'to many', ['other', room]])
  for (const receiver of [atMaya, atTheo]) {
    await receiver.until(3)
    expect(receiver.received.map(({ event }) => event)).toEqual(['before', 'meanwhile', 'to many'])
  }
  await owner.query('select realtime.send($1, $2, $3)', [{}, 'after', room])
  await Promise.all([atMaya.until(4), atTheo.until(4)])
  await admin.end()
})

test('the members of a stopped process are gone for the others', async () => {
  const config = (key: string) => ({ config: { presence: { key, enabled: true } } })
  const ours = (await clientOfOne(null)).channel('farewell', config('one'))
  const theirs = (await clientOfTwo(null)).channel('farewell', config('two'))
  await Promise.all([join(ours), join(theirs)])
  await theirs.track({})
  await vi.waitFor(() => expect(present(ours)).toEqual(['two']))
  await secondProcess.close()
  await vi.waitFor(() => expect(present(ours)).toEqual([]))
  secondProcess = { ...secondProcess, close: () => Promise.resolve() }
})
