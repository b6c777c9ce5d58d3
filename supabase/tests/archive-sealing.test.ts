// Sealing chains the records without waiting for anybody, and without missing what is still under way.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lastRecord, sealAll } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let maya: Person
const connections: pg.Client[] = []

beforeAll(async () => {
  team = await aTeam()
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
})
afterAll(() => team?.close())
beforeEach(() => sealAll(team))
afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.end()
})

/** A connection of its own, for a transaction that lasts. */
async function aConnection() {
  const client = new pg.Client({ connectionString: team.backend.ownerUrl })
  await client.connect()
  connections.push(client)
  return client
}

const SEND = `insert into public.chat_messages (chat_id, sender_id, message)
  select private.mandatory_chat_id(), $1, $2`
const send = (message: string, through: Pick<pg.Client, 'query'> | null = null) =>
  through ? through.query(SEND, [maya.id, message]) : team.sql(SEND, [maya.id, message])

async function seal() {
  const [row] = await team.sql<{ answer: { seals: number; records: number; is_done: boolean } }>(
    'select public.seal_archive() as answer',
  )
  return row?.answer
}
/** Other tests' transactions may still be under way; this test's own never end by waiting. */
const sealed = () => expect.poll(seal).toMatchObject({ is_done: true })

type Seal = {
  number: number
  from_seq: number
  to_seq: number
  count: number
  absent: string
  open: string
  late: string[]
  closed: string
}
async function newSeals(after: number): Promise<Seal[]> {
  return team.sql<Seal>(
    `select s.number::int, s.from_seq::int, s.to_seq::int, s.count, s.absent::text, s.open::text, s.late, s.closed::text
     from archive.seals s where s.number > $1 order by s.number`,
    [after],
  )
}
async function lastSeal(): Promise<number> {
  const [row] = await team.sql<{ number: number }>(
    'select coalesce(max(s.number), 0)::int as number from archive.seals s',
  )
  return row?.number ?? 0
}
const fiveMinutesPass = () =>
  team.sql("update archive.sealer set marked_at = marked_at - interval '5 minutes'")

test('what was recorded since the last seal comes under the next one, once', async () => {
  const [before, last] = [await lastSeal(), await lastRecord(team)]
  await send('One')
  await send('Two')
  await sealed()
  await sealed()
  expect(await newSeals(before)).toMatchObject([
    { from_seq: last + 1, to_seq: last + 2, count: 2, absent: '{}', open: '{}', late: [] },
  ])
})

test('hashes follow from the documented form alone', async () => {
  const before = await lastSeal()
  await send('“Quoted” \\ back\tslash\u0001\u007f\u2028 ñ 🚀')
  await sealed()
  const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest()
  const [seal] = await team.sql<Record<string, string>>(
    `select s.*, s.absent::text, s.open::text, s.closed::text, encode(s.hash, 'hex') as hash,
       encode(s.previous_hash, 'hex') as previous, encode(s.leaves, 'hex') as leaves,
       to_char(s.sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as sealed
     from archive.seals s where s.number > $1`,
    [before],
  )
  const [record] = await team.sql<Record<string, string>>(
    `select r.*, r.content::text,
       to_char(r.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded
     from archive.records r order by r.seq desc limit 1`,
  )
  const fields = ['actor_id', 'actor_name', 'actor_email', 'actor_role', 'chat_id', 'subject_id']
  const line =
    `{"seq":${record?.seq},"recorded_at":"${record?.recorded}","kind":"message.sent"` +
    [...fields, 'member_id', 'audience']
      .map((f) => `,"${f}":${JSON.stringify(record?.[f])}`)
      .join('') +
    `,"content":${record?.content}}`
  expect(JSON.parse(line)).toMatchObject({
    content: { text: '“Quoted” \\ back\tslash\u0001\u007f\u2028 ñ 🚀' },
  })
  const leaf = sha256(line)
  expect(seal?.leaves).toBe(leaf.toString('hex'))
  expect(seal?.hash).toBe(
    sha256(
      `{"seal":${seal?.number},"sealed_at":"${seal?.sealed}","from_seq":${seal?.from_seq},` +
        `"to_seq":${seal?.to_seq},"count":1,"absent":"{}","open":"{}","late":[],"closed":"{}",` +
        `"records":"${sha256(leaf).toString('hex')}","previous":"${seal?.previous}"}`,
    ).toString('hex'),
  )
})

test('a seal has at most a thousand records, and one run seals them all', async () => {
  const before = await lastSeal()
  await team.sql(
    `insert into public.chat_messages (chat_id, sender_id, message)
     select private.mandatory_chat_id(), $1, n::text from generate_series(1, 2500) n`,
    [maya.id],
  )
  await sealed()
  expect((await newSeals(before)).map(({ count }) => count)).toEqual([1000, 1000, 500])
})

describe('a transaction that is still under way', () => {
  test('is waited for, while others go on writing', async () => {
    const [before, last] = [await lastSeal(), await lastRecord(team)]
    const slow = await aConnection()
    await slow.query('begin')
    await send('Slow', slow)
    await send('Quick')
    expect(await seal()).toEqual({ seals: 0, records: 0, is_done: false })
    await slow.query('commit')
    await sealed()
    expect(await newSeals(before)).toMatchObject([
      { from_seq: last + 1, to_seq: last + 2, count: 2, absent: '{}' },
    ])
  })

  test('that is rolled back leaves a number that is absent for good', async () => {
    const [before, last] = [await lastSeal(), await lastRecord(team)]
    const slow = await aConnection()
    await slow.query('begin')
    await send('Never', slow)
    await send('Quick')
    await slow.query('rollback')
    await sealed()
    expect(await newSeals(before)).toMatchObject([
      { count: 1, absent: `{[${last + 1},${last + 2})}`, open: '{}' },
    ])
  })

  test('is no longer waited for after five minutes; what it brings is sealed late', async () => {
    const [before, last] = [await lastSeal(), await lastRecord(team)]
    const slow = await aConnection()
    await slow.query('begin')
    await send('Slow', slow)
    await send('Quick')
    await seal()
    await fiveMinutesPass()
    await sealed()
    const gap = `{[${last + 1},${last + 2})}`
    expect(await newSeals(before)).toMatchObject([{ count: 1, absent: '{}', open: gap }])
    await slow.query('commit')
    await sealed()
    expect((await newSeals(before))[1]).toMatchObject({
      count: 1,
      from_seq: last + 3,
      to_seq: last + 2,
      late: [String(last + 1)],
      closed: '{}',
    })
  })

  test('that ends with a rollback after five minutes closes its number', async () => {
    const [before, last] = [await lastSeal(), await lastRecord(team)]
    const slow = await aConnection()
    await slow.query('begin')
    await send('Never', slow)
    await send('Quick')
    await seal()
    await fiveMinutesPass()
    await sealed()
    await slow.query('rollback')
    await sealed()
    expect((await newSeals(before))[1]).toMatchObject({
      count: 0,
      late: [],
      closed: `{[${last + 1},${last + 2})}`,
    })
    await sealed()
    expect(await newSeals(before)).toHaveLength(2)
  })
})

test('sealing that is under way keeps nobody from writing, and a second worker does nothing', async () => {
  const before = await lastSeal()
  await send('First')
  const worker = await aConnection()
  await expect
    .poll(async () => {
      await worker.query('rollback')
      await worker.query('begin')
      const { rows } = await worker.query<{ seals: number }>(
        "select (public.seal_archive() ->> 'seals')::int as seals",
      )
      return rows[0]?.seals
    })
    .toBe(1)
  await send('Meanwhile')
  expect(await seal()).toEqual({ seals: 0, records: 0, is_done: true })
  await worker.query('commit')
  await sealed()
  expect((await newSeals(before)).map(({ count }) => count)).toEqual([1, 1])
})

test('a database that was restored into another cluster goes on sealing', async () => {
  const before = await lastSeal()
  const slow = await aConnection()
  await slow.query('begin')
  await send('Under way', slow)
  await send('Then')
  await seal()
  await slow.query('commit')
  // The mark is from a cluster that was ten billion transactions further.
  await team.sql("update archive.sealer set mark_xid = '10000000000'")
  await sealed()
  expect(await newSeals(before)).toMatchObject([{ count: 2, absent: '{}', open: '{}' }])
})

test('sealing refuses a transaction that has written already', async () => {
  const client = await aConnection()
  await client.query('begin')
  await send('Before', client)
  await expect(client.query('select public.seal_archive()')).rejects.toThrow(
    'sealing needs a transaction of its own',
  )
})

test('admins and servers learn the head of the chain, members do not', async () => {
  await send('Head')
  await sealed()
  const admin = await team.aMember({ isAdmin: true })
  const [head] = await team.sql<{ hash: string }>(
    "select encode((archive.last_seal()).hash, 'hex') as hash",
  )
  for (const person of [admin, team.service()]) {
    const { data } = await call<object[]>(person, 'archive_head')
    expect(data).toMatchObject([{ hash: head?.hash }])
  }
  expect((await call(maya, 'archive_head')).error).toMatchObject({ code: '42501' })
})
