// The archive at three sizes: messages archived by the triggers, sealed, indexed, held against the lexicon, searched, verified,
// exported, and the export verified; and what all that costs the sender of a message. MESSAGES=100000 for a smaller run. Prints
// tables for README.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { GuardedClient } from 'backend/postgres/guarded-client.ts'
import type pg from 'pg'
import { addImagesFor, addMessages, addTeam } from './archive-fill.ts'
import { compareTriggers, insertBesideWorker, measureWork, quantile } from './archive-inserts.ts'
import { recordFiles, untilDone } from './backup-fill.ts'
import { peakKb } from './process-usage.ts'
import { ROOT, startProductDatabase } from './product-database.ts'

const MESSAGES = Number(process.env.MESSAGES ?? 1_000_000)
const SIZES = [10_000, 100_000].filter((size) => size < MESSAGES).concat(MESSAGES)

type Database = { client: pg.Client; url: string; dataDir: string }

const number = (value: number, digits = 0) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
const rows = new Map<string, string[]>()

await withDatabase(measureInserts)
for (const size of SIZES) await withDatabase((database) => measureSize(database, size))

console.log(`\n${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}\n`)
printTable(
  ['What', ...SIZES.map((size) => number(size))],
  [...rows].map(([what, values]) => [what, ...values]),
)

async function withDatabase(work: (database: Database) => Promise<void>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-archive-'))
  const { cluster } = await startProductDatabase(dataDir)
  const client = new GuardedClient({ connectionString: cluster.url })
  try {
    await client.connect()
    await addTeam(client)
    await work({ client, url: cluster.url, dataDir })
  } finally {
    await client.end()
    await cluster.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function measureInserts({ client, url }: Database) {
  console.error('Inserts')
  const { on, off } = await compareTriggers(client)
  console.log(
    `SQL of an insert: ${number(off)} µs without the archive's triggers, ${number(on)} µs with them, ${number(100 * (on / off - 1), 1)} % more\n`,
  )
  const workUs = await measureWork(client)
  const { took, insertUs } = await insertBesideWorker(client, url)
  console.log(`CPU of Postgres for an insert: ${number(insertUs)} µs\n`)
  printTable(
    ['Meanwhile', 'Inserts', 'p50 ms', 'p99 ms', 'Most ms', 'Its CPU a message', 'of an insert'],
    Object.entries(took).map(([phase, values]) => {
      const us = phase === 'calm' ? null : workUs[phase as keyof typeof workUs]
      return [
        phase,
        number(values.length),
        ...[0.5, 0.99, 1].map((share) => number(quantile(values, share), 1)),
        us === null ? '' : `${number(us)} µs`,
        us === null ? '' : `${number((100 * us) / insertUs, 1)} %`,
      ]
    }),
  )
}

async function measureSize({ client, dataDir }: Database, size: number) {
  const images = await addImagesFor(client, dataDir, size)
  note(
    'Images',
    `${images.length}, ${number(images.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6)} MB`,
  )
  await timed('Inserted and archived, 10,000 a statement', size, () =>
    addMessages(client, size, images),
  )
  await recordFiles(client, images)
  await diskSize('Records on disk, with indexes', client, 'archive.records')
  await timed('Sealed', size, () => untilDone(client, 'seal_archive'))
  await diskSize('Seals on disk', client, 'archive.seals')
  await timed('Indexed for searching', size, () => untilDone(client, 'index_archive'))
  await diskSize('Index on disk', client, 'archive.search_entries')
  await timed('Held against the lexicon', size, () => untilDone(client, 'review_new_messages'))
  // What it took into the queue is archived too.
  await untilDone(client, 'seal_archive')
  await untilDone(client, 'index_archive')
  await client.query('vacuum analyze archive.search_entries')
  await client.query('vacuum analyze archive.records')
  await search(client)
  await outside(dataDir, size)
}

async function diskSize(what: string, client: pg.Client, table: string) {
  const { rows: found } = await client.query<{ bytes: number }>(
    'select pg_total_relation_size($1)::float8 as bytes',
    [table],
  )
  note(what, `${number((found[0]?.bytes ?? 0) / 1e6)} MB`)
}

async function search(client: pg.Client) {
  const cases: [string, string][] = [
    ['a word that every message has', `'calls', null, null, null, null, null`],
    ['a word in one of a thousand', `'guaranteed', null, null, null, null, null`],
    ['a rare word', `'quetzals', null, null, null, null, null`],
    ['a word that nobody said', `'unsaid', null, null, null, null, null`],
    [
      'two words of which one is rare, by one of 20 people',
      `'calls quetzals', archive.people_called('m8@example.com'), null, null, null, null`,
    ],
    [
      'one of 20 people, without words',
      `null, archive.people_called('m8@example.com'), null, null, null, null`,
    ],
    [
      'one who wrote nothing',
      `null, archive.people_called('m400@example.com'), null, null, null, null`,
    ],
    ['a rare word within a day', `'quetzals', null, null, null, now() - interval '1 day', null`],
  ]
  for (const [what, criteria] of cases) {
    const times: number[] = []
    let found = 0
    for (let round = 0; round < 3; round++) {
      const started = performance.now()
      const result = await client.query(`select * from archive.search(${criteria}, null, 50)`)
      found = result.rows.length
      times.push(performance.now() - started)
    }
    note(`Search: ${what}`, `${number(quantile(times, 0.5))} ms, ${found} found`)
  }
}

async function outside(dataDir: string, size: number) {
  const maintenance = ['--import', 'tsx', join(ROOT, 'server/src/maintenance.ts'), 'archive']
  const folder = join(dataDir, 'export')
  await run('Verified', size, dataDir, [...maintenance, 'verify'])
  await run('Exported as mails, lines and a table', size, dataDir, [
    ...maintenance,
    'export',
    folder,
  ])
  await run('The export verified', size, dataDir, [join(folder, 'verify-export.mjs')])
  for (const part of ['eml', 'attachments', 'records.jsonl', 'records.csv', 'seals.jsonl']) {
    const { files, bytes } = await weigh(join(folder, part))
    note(`Export: ${part}`, `${number(bytes / 1e6)} MB in ${number(files)}`)
  }
}

async function run(what: string, size: number, dataDir: string, args: string[]) {
  let mostKb = 0
  await timed(what, size, async () => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const timer = setInterval(() => (mostKb = Math.max(mostKb, peakKb(child.pid ?? 0))), 100)
    const [code] = (await once(child, 'exit')) as [number]
    clearInterval(timer)
    if (code !== 0) throw new Error(`${what} ended with ${code}`)
  })
  note(`${what}: most memory`, `${number(mostKb / 1024)} MiB`)
}

async function weigh(path: string): Promise<{ files: number; bytes: number }> {
  const found = await stat(path)
  if (!found.isDirectory()) return { files: 1, bytes: found.size }
  const parts = await Promise.all((await readdir(path)).map((name) => weigh(join(path, name))))
  return {
    files: parts.reduce((sum, { files }) => sum + files, 0),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

async function timed(what: string, size: number, work: () => Promise<unknown>) {
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  note(what, `${number(seconds, 1)} s, ${number(size / seconds)} a second`)
}

function note(what: string, measured: string) {
  rows.set(what, [...(rows.get(what) ?? []), measured])
  console.error(`${what}: ${measured}`)
}

function printTable(head: string[], body: string[][]) {
  for (const cells of [head, head.map(() => '---'), ...body])
    console.log(`| ${cells.join(' | ')} |`)
}
