// The archive at size: messages archived by the triggers, sealed, indexed, held against the lexicon, searched, verified,
// exported, and the export verified; and what single inserts cost with and without it. MESSAGES=200000 for a smaller run. Prints a table for README.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { ROOT, startProductDatabase } from './product-database.ts'

const MESSAGES = Number(process.env.MESSAGES ?? 1_000_000)
const BATCH = 10_000
const ROUNDS = 5
const INSERTS = 1_000

const TEXT = `'Message number ' || n || ' about the calls of the day and who takes the next one' || case n % 1000
  when 0 then ', a guaranteed return' else '' end || case n % 100000 when 7 then ' of quetzals' else '' end`
const VALUES = `
  ('11111111-0000-4000-8000-' || lpad((1 + n % 50)::text, 12, '0'))::uuid,
  ('00000000-0000-4000-8000-' || lpad((1 + n % 20)::text, 12, '0'))::uuid, ${TEXT}`

const dataDir = await mkdtemp(join(tmpdir(), 'bench-archive-'))
const { cluster } = await startProductDatabase(dataDir)
const client = new GuardedClient({ connectionString: cluster.url })
await client.connect()
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await client.query<Row>(text, values)).rows
const rows: [string, string][] = []

try {
  await prepare()
  await compareInserts()
  await fill()
  await sealAndIndex()
  await search()
  await outside()
} finally {
  await client.end()
  await cluster.stop()
  await rm(dataDir, { recursive: true, force: true })
}
console.log(
  `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${MESSAGES.toLocaleString('en-US')} messages\n`,
)
console.log('| What | Measured |\n| --- | --- |')
for (const [what, measured] of rows) console.log(`| ${what} | ${measured} |`)

function note(what: string, measured: string) {
  rows.push([what, measured])
  console.error(`${what}: ${measured}`)
}

async function timed(what: string, work: () => Promise<unknown>) {
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  const each = Math.round(MESSAGES / seconds).toLocaleString('en-US')
  note(what, `${seconds.toFixed(1)} s, ${each} messages a second`)
}

async function prepare() {
  await sql('set session_replication_role = replica')
  await sql(`
    insert into private.members (id, email, first_name, last_name)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n || '@example.com', 'Member', n::text
    from generate_series(1, 500) n`)
  await sql('reset session_replication_role')
  await sql(`
    insert into public.chats (id, name, type, created_by)
    select ('11111111-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Chat ' || n, 'group',
      '00000000-0000-4000-8000-000000000001'
    from generate_series(1, 50) n`)
  await sql(`
    insert into private.chat_participants (chat_id, user_id)
    select c.id, m.id from public.chats c
    join private.members m on m.last_name::int <= 20 or m.last_name::int % 50 = substr(c.name, 6)::int - 1
    where c.type = 'group' on conflict do nothing`)
}

/** One message a statement, all triggers of the product on, in interleaved rounds. */
async function compareInserts() {
  const triggers = ['archive_sent', 'archive_file']
  const samples: Record<'with' | 'without', number[]> = { with: [], without: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const kind of ['with', 'without'] as const) {
      for (const name of triggers)
        await sql(
          `alter table public.chat_messages ${kind === 'with' ? 'enable' : 'disable'} trigger ${name}`,
        )
      await sql('begin')
      const started = performance.now()
      // Each by its sender, as through the API: the archive names who is signed in.
      await sql(`do $do$ begin for n in 1..${INSERTS} loop
        perform set_config('request.jwt.claims', json_build_object(
          'role', 'authenticated', 'sub', '00000000-0000-4000-8000-' || lpad((1 + n % 20)::text, 12, '0'))::text, true);
        insert into public.chat_messages (chat_id, sender_id, message) select ${VALUES}; end loop; end $do$`)
      // The first round warms up.
      if (round > 0) samples[kind].push(((performance.now() - started) * 1000) / INSERTS)
      // Else verifying would find messages that were never archived.
      await sql('rollback')
    }
  }
  for (const name of triggers) await sql(`alter table public.chat_messages enable trigger ${name}`)
  const middle = (values: number[]) =>
    values.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? NaN
  const [on, off] = [middle(samples.with), middle(samples.without)]
  note('An insert without the archive', `${off.toFixed(0)} µs`)
  note(
    'With it, search included',
    `${on.toFixed(0)} µs, ${(100 * (on / off - 1)).toFixed(1)} % more`,
  )
}

/** Only the triggers of the archive: what others cost is measured elsewhere. */
async function fill() {
  await sql('alter table public.chat_messages disable trigger user')
  for (const name of ['archive_sent', 'archive_file'])
    await sql(`alter table public.chat_messages enable trigger ${name}`)
  await timed('Inserted and archived, 10,000 a statement', async () => {
    for (let from = 1; from <= MESSAGES; from += BATCH)
      await sql(
        `insert into public.chat_messages (chat_id, sender_id, message)
         select ${VALUES} from generate_series(${from}, ${Math.min(MESSAGES, from + BATCH - 1)}) n`,
      )
  })
  await sql('alter table public.chat_messages enable trigger user')
  await size('Records on disk, with indexes', 'archive.records')
}

async function size(what: string, table: string) {
  const [row] = await sql<{ bytes: number }>('select pg_total_relation_size($1)::float8 as bytes', [
    table,
  ])
  note(what, `${((row?.bytes ?? 0) / 1e6).toFixed(0)} MB`)
}

async function sealAndIndex() {
  await timed('Sealed', () => untilDone('seal_archive'))
  await size('Seals on disk', 'archive.seals')
  await timed('Indexed for searching', () => untilDone('index_archive'))
  await size('Index on disk', 'archive.search_entries')
  await timed('Gone through for the review queue', () => untilDone('review_new_messages'))
  // What it took into the queue is archived too.
  await untilDone('seal_archive')
  await untilDone('index_archive')
  await sql('vacuum analyze archive.search_entries')
  await sql('vacuum analyze archive.records')
}

async function untilDone(name: string) {
  for (;;) {
    const [row] = await sql<{ answer: { is_done: boolean } }>(
      `select public.${name}(100) as answer`,
    )
    if (row?.answer.is_done) return
  }
}

async function search() {
  const cases: [string, string][] = [
    ['a word that every message has', `'calls', null, null, null, null`],
    ['a word in one of a thousand', `'guaranteed', null, null, null, null`],
    ['a rare word', `'quetzals', null, null, null, null`],
    ['a word that nobody said', `'unsaid', null, null, null, null`],
    [
      'two words of which one is rare, by one of 20 people',
      `'calls quetzals', archive.people_called('8@example.com'), null, null, null`,
    ],
    ['a person without words', `null, archive.people_called('400@example.com'), null, null, null`],
    ['a rare word within a day', `'quetzals', null, null, null, now() - interval '1 day'`],
  ]
  for (const [what, criteria] of cases) {
    const times: number[] = []
    for (let round = 0; round < 3; round++) {
      const started = performance.now()
      await sql(`select * from archive.search(${criteria}, null, null, 50)`)
      times.push(performance.now() - started)
    }
    note(`Search: ${what}`, `${times.toSorted((one, other) => one - other)[1]?.toFixed(0)} ms`)
  }
}

async function outside() {
  const maintenance = ['--import', 'tsx', join(ROOT, 'server/src/maintenance.ts'), 'archive']
  const folder = join(dataDir, 'export')
  await run('Verified', [...maintenance, 'verify'])
  await run('Exported as mails, lines and a table', [...maintenance, 'export', folder])
  await run('The export verified', [join(folder, 'verify-export.mjs')])
}

async function run(what: string, args: string[]) {
  let peakKb = 0
  await timed(what, async () => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const timer = setInterval(() => {
      const [, kb] = /VmHWM:\s+(\d+)/.exec(read(`/proc/${child.pid}/status`)) ?? []
      peakKb = Math.max(peakKb, Number(kb ?? 0))
    }, 100)
    const [code] = (await once(child, 'exit')) as [number]
    clearInterval(timer)
    if (code !== 0) throw new Error(`${what} ended with ${code}`)
  })
  note(`${what}: most memory`, `${(peakKb / 1024).toFixed(0)} MiB`)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
