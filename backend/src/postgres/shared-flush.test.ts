import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { SUPERUSER } from './embedded-cluster.ts'
import { createRunAsRole } from './run-as-role.ts'
import { shareRuns } from './shared-flush.ts'

type Gate = { promise: Promise<void>; resolve(): void; reject(error: Error): void }

function gate(): Gate {
  let settle: Omit<Gate, 'promise'> | null = null
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, ...(settle as unknown as Omit<Gate, 'promise'>) }
}

const RUN_CLUSTER = fileURLToPath(new URL('../../testing/run-cluster.ts', import.meta.url))
const WRITERS = 16

let owner: ChildProcess | null = null
let dataDir: string | null = null

afterEach(async () => {
  if (owner?.exitCode === null) {
    owner.kill('SIGTERM')
    await once(owner, 'exit')
  }
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

test('calls during a run share the next one, which begins after all of them', async () => {
  const runs: Gate[] = []
  const share = shareRuns(() => {
    const run = gate()
    runs.push(run)
    return run.promise
  })
  const done: string[] = []
  const call = (name: string) => share().then(() => done.push(name))
  const all = [call('first'), call('second'), call('third')]
  expect(runs).toHaveLength(1)
  runs[0]?.resolve()
  await vi.waitFor(() => expect(runs).toHaveLength(2))
  expect(done).toEqual(['first'])
  runs[1]?.resolve()
  await Promise.all(all)
  expect(done).toEqual(['first', 'second', 'third'])
})

test('a run that fails fails its callers and not those of the next', async () => {
  let isBroken = true
  const share = shareRuns(async () => {
    await Promise.resolve()
    if (isBroken) throw new Error('Postgres is gone')
  })
  const first = share()
  const second = share()
  await expect(first.finally(() => (isBroken = false))).rejects.toThrow('Postgres is gone')
  await second
})

test('no acknowledged write is lost when Postgres is killed while many wait for the disk together', async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cluster-'))
  owner = spawn(process.execPath, ['--import', 'tsx', RUN_CLUSTER, dataDir])
  const [output] = (await once(owner.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const url = output.toString().trim()
  // Else a background process brings commits to the disk that nobody waits for.
  await query(url, `alter system set wal_writer_delay = '10s'`)
  await query(url, 'select pg_reload_conf()')
  await query(url, 'create table public.notes (id text primary key)')

  const database = createRunAsRole(url, () => undefined)
  const acknowledged: string[] = []
  const levels = new Set<string | null | undefined>()
  let isKilled = false
  async function write(worker: number) {
    for (let count = 0; !isKilled; count++) {
      const id = `${worker}-${count}`
      const text = `insert into public.notes values ($1) returning id, current_setting('synchronous_commit')`
      const statement = { name: 'write', text, values: [id] }
      const rows = await database
        .rowsAs({ role: SUPERUSER, claimsText: '{}' }, statement)
        .catch(() => null)
      if (!rows) continue
      acknowledged.push(id)
      levels.add(rows[0]?.[1])
    }
  }
  const writers = Array.from({ length: WRITERS }, (_, worker) => write(worker))
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(500), { timeout: 30_000 })
  const pidFile = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')
  process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL')
  isKilled = true
  await Promise.all(writers)
  await database.close()
  expect([...levels].toSorted()).toEqual(['off', 'on'])

  let stored = new Set<unknown>()
  await vi.waitFor(
    async () => {
      const rows = await query(url, 'select id from public.notes')
      stored = new Set(rows.map(({ id }) => id))
    },
    { timeout: 20_000, interval: 200 },
  )
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
}, 60_000)

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
