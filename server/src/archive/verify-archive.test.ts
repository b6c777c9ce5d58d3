// A superuser changes the archive behind the triggers' back, and verifying names what was changed.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'
import { TRIGGERS } from './check-database.ts'
import { noteHead, readHeads } from './heads-file.ts'
import { verifyArchive, type VerifyOptions } from './verify-archive.ts'

let backend: TestBackend
let superuser: GuardedClient
/** The numbers of a message's records, in the middle of the chain. */
let middle: number
let last: number

const TABLES = ['archive.records', 'archive.seals', 'archive.sealer', 'public.chat_messages']
const columns = new Map<string, string>()
const kept = (table: string) => `kept.${table.replace('.', '_')}`
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await superuser.query<Row>(text, values)).rows

/** Without triggers, as only a superuser can. */
async function behindTheTriggers(...statements: string[]) {
  await sql('set session_replication_role = replica')
  for (const statement of statements) await sql(statement)
  await sql('reset session_replication_role')
}

async function seal() {
  for (;;) {
    const [row] = await sql<{ answer: { is_done: boolean } }>(
      'select public.seal_archive() as answer',
    )
    if (row?.answer.is_done) return
  }
}

const send = (text: string) =>
  sql(
    `insert into public.chat_messages (chat_id, sender_id, message)
     select private.mandatory_chat_id(), id, $1 from private.members limit 1`,
    [text],
  )

const progress = { record: () => undefined, file: () => undefined }

async function verify(options: Partial<VerifyOptions> = {}) {
  const client = new GuardedClient({ connectionString: backend.superuserUrl })
  await client.connect()
  try {
    return await verifyArchive(client, { files: null, heads: [], noted: [], progress, ...options })
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  backend = await startTestBackend({ migrations: 'product' })
  superuser = new GuardedClient({ connectionString: backend.superuserUrl })
  await superuser.connect()
  const id = randomUUID()
  await sql(
    `insert into auth.users (id, email, email_confirmed_at, created_at, raw_user_meta_data)
     values ($1, 'dana@example.com', now(), now(), '{"first_name": "Dana", "last_name": "Reyes"}')`,
    [id],
  )
  // Whatever registration asks for.
  await behindTheTriggers(
    `insert into private.members (id, email, first_name, last_name)
     values ('${id}', 'dana@example.com', 'Dana', 'Reyes') on conflict do nothing`,
  )
  for (let round = 1; round <= 4; round++) {
    for (let message = 1; message <= 5; message++) await send(`Message ${round}.${message} ñ 🚀`)
    await sql('begin')
    await send('Never')
    await sql('rollback')
    await send('After a gap')
    await seal()
  }
  const [numbers] = await sql<{ middle: number; last: number }>(
    `select (select r.seq::int from archive.records r where r.content ->> 'text' like 'Message 2.3%') as middle,
       (select max(r.seq)::int from archive.records r) as last`,
  )
  middle = numbers?.middle ?? 0
  last = numbers?.last ?? 0
  for (const table of TABLES) {
    // Postgres writes the generated ones itself.
    const [row] = await sql<{ names: string }>(
      `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    )
    columns.set(table, row?.names ?? '')
  }
  await sql('create schema kept')
  for (const table of TABLES) await sql(`create table ${kept(table)} as table ${table}`)
})
afterAll(async () => {
  await superuser?.end()
  await backend?.close()
})
afterEach(async () => {
  await behindTheTriggers(
    ...TABLES.flatMap((table) => [
      `delete from ${table}`,
      `insert into ${table} (${columns.get(table)}) ${table === 'archive.records' ? 'overriding system value' : ''}
       select ${columns.get(table)} from ${kept(table)}`,
    ]),
  )
})

const first = async (options: Partial<VerifyOptions> = {}) => (await verify(options)).findings[0]

test('an archive as it was written is intact, also with numbers that were rolled back', async () => {
  const report = await verify()
  expect(report.findings).toEqual([])
  expect(report).toMatchObject({ findingCount: 0, unsealed: 0, messages: 24 })
  expect(report.head?.seal).toBeGreaterThanOrEqual(4)
})

test('records of the last minute are counted, and nothing is found', async () => {
  await send('Just now')
  expect(await verify()).toMatchObject({ findings: [], unsealed: 1 })
})

describe('verifying names', () => {
  test.each([
    ['the text', `content = (replace(content::text, 'Message', 'message'))::json`],
    ['the time', `recorded_at = recorded_at - interval '1 microsecond'`],
    ['who sent it', `actor_name = 'Somebody Else'`],
    ['an empty name instead of none', `actor_email = ''`],
    ['the order of its content', `content = (content::text || ' ')::json`],
  ])('a record that was altered: %s', async (_, change) => {
    await behindTheTriggers(`update archive.records set ${change} where seq = ${middle}`)
    expect(await first()).toMatch(new RegExp(`^record ${middle} was altered \\(seal \\d+\\)`))
  })

  test('a record that was removed', async () => {
    await behindTheTriggers(`delete from archive.records where seq = ${middle}`)
    expect(await first()).toMatch(new RegExp(`^record ${middle} was removed`))
  })

  test('a record that was inserted into a gap', async () => {
    const [gap] = await sql<{ seq: number }>(
      `select lower(s.absent)::int as seq from archive.seals s where not isempty(s.absent) limit 1`,
    )
    await behindTheTriggers(
      `insert into archive.records (seq, kind, actor_role, audience, content)
       overriding system value values (${gap?.seq}, 'message.sent', 'postgres', 'chat', '{"text":"Planted"}')`,
    )
    expect(await first()).toMatch(new RegExp(`^record ${gap?.seq} was inserted`))
  })

  test('the newest record that was removed', async () => {
    await behindTheTriggers(`delete from archive.records where seq = ${last}`)
    expect(await first()).toMatch(new RegExp(`^record ${last} was removed`))
  })

  test('two records that were swapped', async () => {
    await behindTheTriggers(
      `update archive.records a set content = b.content, subject_id = b.subject_id, recorded_at = b.recorded_at
       from archive.records b where (a.seq, b.seq) in ((${middle}, ${middle + 1}), (${middle + 1}, ${middle}))`,
    )
    const { findings } = await verify()
    expect(findings[0]).toMatch(new RegExp(`^record ${middle} was altered`))
    expect(findings[1]).toMatch(new RegExp(`^record ${middle + 1} was altered`))
  })

  test.each([
    ['its time', `sealed_at = sealed_at + interval '1 second'`, /^seal 2 was altered/],
    ['its gaps', `absent = absent + int8multirange(int8range(900, 901))`, /^seal 2 was altered/],
    [
      'the hashes under it',
      'leaves = set_byte(leaves, 0, 255 - get_byte(leaves, 0))',
      /^the hashes of the records under seal 2 were altered/,
    ],
  ])('a seal that was altered: %s', async (_, change, finding) => {
    await behindTheTriggers(`update archive.seals set ${change} where number = 2`)
    expect(await first()).toMatch(finding)
  })

  test('a seal that was removed', async () => {
    await behindTheTriggers('delete from archive.seals where number = 2')
    expect(await first()).toBe('seal 2 was removed')
  })

  test('a seal that was rewritten together with its record, by the one after it', async () => {
    await behindTheTriggers(
      `update archive.records set content = '{"text":"Forged"}' where seq = ${middle}`,
      `update archive.seals s set leaves = forged.leaves, records_hash = sha256(forged.leaves)
       from (
         select s.number, string_agg(archive.sha256_of(archive.line(r)), '' order by r.seq) as leaves
         from archive.seals s join archive.records r on r.seq between s.from_seq and s.to_seq
         where ${middle} between s.from_seq and s.to_seq group by s.number
       ) forged where forged.number = s.number`,
      `update archive.seals s set hash = archive.sha256_of(archive.seal_line(s))
       where ${middle} between s.from_seq and s.to_seq`,
    )
    expect(await first()).toMatch(/^seal \d+ continues another chain/)
  })

  test('a chain that was cut off at its end, by a head that was noted elsewhere', async () => {
    const { head } = await verify()
    await behindTheTriggers(
      `delete from archive.records where seq > (select from_seq from archive.seals where number = ${head?.seal}) - 1`,
      `delete from archive.seals where number = ${head?.seal}`,
      // Else the messages themselves tell.
      `delete from public.chat_messages m where not exists (
         select from archive.records r where r.subject_id = m.id)`,
    )
    expect((await verify()).findings).toEqual([])
    expect(await first({ heads: [head?.hash ?? ''] })).toMatch(/^no seal has the hash/)
    const noted = [{ day: '2026-11-22', seal: head?.seal ?? 0, hash: head?.hash ?? '' }]
    expect(await first({ noted })).toMatch(/^seal \d+ had the hash \w+ on 2026-11-22/)
  })

  test('a record that was removed and declared as pruned before three years were over', async () => {
    await behindTheTriggers(`delete from archive.records where seq = ${middle}`)
    await sql(
      `select archive.record('archive.pruned', json_build_object('count', 1, 'records', '{[${middle},${middle + 1})}'))`,
    )
    await seal()
    expect(await first()).toMatch(new RegExp(`^record ${middle} was removed`))
  })
})

test('a file with heads of another archive is named in one sentence', async () => {
  const noted = [1, 2, 3].map((seal) => ({ day: '2026-11-22', seal, hash: 'a'.repeat(64) }))
  expect((await verify({ noted })).findings).toEqual([
    'none of the 3 heads in archive-heads.txt is in the chain: the archive was replaced, or DATA_DIR is not the folder of its server',
  ])
  const { head } = await verify()
  noted.push({ day: '2026-11-23', seal: head?.seal ?? 0, hash: head?.hash ?? '' })
  expect((await verify({ noted })).findingCount).toBe(3)
})

describe('behind the archive’s back', () => {
  test.each([
    [
      'altered',
      `update public.chat_messages set message = 'Other' where message like 'Message 2.3%'`,
      /has another text/,
    ],
    [
      'deleted',
      `delete from public.chat_messages where message like 'Message 2.3%'`,
      /was deleted without a record/,
    ],
    [
      'sent',
      `insert into public.chat_messages (chat_id, sender_id, message)
       select private.mandatory_chat_id(), id, 'Planted' from private.members limit 1`,
      /was never archived/,
    ],
  ])('a message that was %s is named', async (_, change, finding) => {
    await behindTheTriggers(change)
    expect(await first()).toMatch(finding)
  })

  test('of many altered messages 20 are named, and that there are more', async () => {
    await behindTheTriggers(`update public.chat_messages set message = 'Other'`)
    const { findings } = await verify()
    expect(findings.filter((each) => each.includes('has another text'))).toHaveLength(20)
    expect(findings.at(-1)).toBe('there are more such messages than these 20')
  })

  test('a trigger that is off or missing is named', async () => {
    await sql('alter table public.chat_messages disable trigger archive_sent')
    expect(await first()).toBe('the trigger archive_sent of public.chat_messages is missing or off')
    await sql('alter table public.chat_messages enable trigger archive_sent')
  })
})

test('the list of triggers is that of the database', async () => {
  const rows = await sql<{ name: string }>(
    `select c.relnamespace::regnamespace || '.' || c.relname || ' ' || t.tgname as name
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
     where not t.tgisinternal and p.pronamespace = 'archive'::regnamespace`,
  )
  expect(rows.map(({ name }) => name).toSorted()).toEqual(TRIGGERS.toSorted())
})

test('one head a day is noted outside the database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heads-'))
  const path = join(folder, 'archive-heads.txt')
  const head = (seal: number, sealed_at: string) => ({ seal, sealed_at, hash: 'a'.repeat(64) })
  await noteHead(path, head(1, '2026-11-22T10:00:00Z'))
  await noteHead(path, head(2, '2026-11-22T23:00:00Z'))
  await noteHead(path, head(3, '2026-11-23T01:00:00Z'))
  expect((await readHeads(path)).heads.map(({ seal }) => seal)).toEqual([1, 3])
  await rm(folder, { recursive: true })
})

test('a head that a crash cut off stops neither noting nor comparing, and is counted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heads-'))
  const path = join(folder, 'archive-heads.txt')
  await writeFile(path, `2026-11-21 1 ${'a'.repeat(64)}\n2026-11-22 2 ${'b'.repeat(20)}`)
  await noteHead(path, { seal: 2, sealed_at: '2026-11-22T10:00:00Z', hash: 'b'.repeat(64) })
  const { heads, broken } = await readHeads(path)
  expect(heads.map(({ seal }) => seal)).toEqual([1, 2])
  expect(broken).toBe(1)
  await rm(folder, { recursive: true })
})

test('a clock that was once years ahead does not end the noting of heads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heads-'))
  const path = join(folder, 'archive-heads.txt')
  const days = ['2031-01-01', '2026-11-22', '2026-11-22']
  for (const [at, day] of days.entries())
    await noteHead(path, { seal: at, sealed_at: `${day}T10:00:00Z`, hash: 'a'.repeat(64) })
  expect((await readHeads(path)).heads.map(({ seal }) => seal)).toEqual([0, 1])
  await rm(folder, { recursive: true })
})
