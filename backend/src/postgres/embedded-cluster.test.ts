import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TEST_PASSWORD } from '../../testing/passwords.ts'
import { postgresBinaries } from './binaries.ts'
import { startEmbeddedCluster } from './embedded-cluster.ts'

const RUN_CLUSTER = fileURLToPath(new URL('../../testing/run-cluster.ts', import.meta.url))

let dataDir: string
let children: ChildProcess[]

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cluster-'))
  children = []
})

afterEach(async () => {
  for (const child of children) await end(child, 'SIGKILL')
  const postmaster = await postmasterPid().catch(() => null)
  if (postmaster && isAlive(postmaster)) process.kill(postmaster, 'SIGQUIT')
  if (postmaster) await expect.poll(() => isAlive(postmaster), { timeout: 10_000 }).toBe(false)
  await rm(dataDir, { recursive: true, force: true })
})

/** Starts a process that owns a cluster. `output` is the cluster's URL, or the error it exited with. */
async function startOwner(folder = dataDir): Promise<{ child: ChildProcess; output: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', RUN_CLUSTER, folder])
  children.push(child)
  const output = await new Promise<string>((resolve) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()))
    child.stderr.once('data', (data: Buffer) => resolve(data.toString().trim()))
  })
  return { child, output }
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

test('stopping the process stops Postgres, and the next start finds the data', async () => {
  const first = await startOwner()
  await query(first.output, 'create table kept (id int)')
  const pid = await postmasterPid()
  await end(first.child, 'SIGTERM')
  expect(isAlive(pid)).toBe(false)
  const second = await startOwner()
  expect(await query(second.output, 'select count(*)::int from kept')).toEqual([{ count: 0 }])
})

test('after kill -9 the next start takes over the running Postgres', async () => {
  const first = await startOwner()
  const pid = await postmasterPid()
  await end(first.child, 'SIGKILL')
  expect(isAlive(pid)).toBe(true)
  const second = await startOwner()
  expect(second.output).toBe(first.output)
  await end(second.child, 'SIGTERM')
  expect(isAlive(pid)).toBe(false)
})

test('a second process on the same data folder is refused with a clear message', async () => {
  await startOwner()
  const second = await startOwner()
  expect(second.output).toBe(`${dataDir} is in use by another running process`)
})

test('two data folders run side by side', async () => {
  const other = await mkdtemp(join(tmpdir(), 'cluster-'))
  const [one, two] = await Promise.all([startOwner(), startOwner(other)])
  expect(await query(one.output, 'select 1 as up')).toEqual([{ up: 1 }])
  expect(await query(two.output, 'select 1 as up')).toEqual([{ up: 1 }])
  await end(two.child, 'SIGTERM')
  await rm(other, { recursive: true, force: true })
})

test('a killed Postgres restarts at the same address with all committed data', async () => {
  const { output: url } = await startOwner()
  await query(url, 'create table kept (id int); insert into kept values (1)')
  process.kill(await postmasterPid(), 'SIGKILL')
  await expect
    .poll(() => query(url, 'select id from kept').catch(() => 'down'), { timeout: 15_000 })
    .toEqual([{ id: 1 }])
})

test('a Postgres that only lost its connections is taken over again and still stopped at the end', async () => {
  const { child, output: url } = await startOwner()
  const pid = await postmasterPid()
  const owners = `from pg_stat_activity where application_name = 'owner'`
  const before = await query(url, `select pid ${owners}`)
  await query(url, `select pg_terminate_backend(pid) ${owners}`)
  await expect
    .poll(async () => (await query(url, `select pid ${owners}`)).length, { timeout: 10_000 })
    .toBe(1)
  expect(await query(url, `select pid ${owners}`)).not.toEqual(before)
  await end(child, 'SIGTERM')
  expect(isAlive(pid)).toBe(false)
})

// As in a clone under /root.
test('Postgres runs from a folder that only the owner may enter', async () => {
  const { root, major } = postgresBinaries()
  const link = join(dataDir, 'binaries')
  await symlink(root, link)
  const bin = (name: string) => join(link, 'bin', name)
  const cluster = await startEmbeddedCluster({
    dataDir,
    password: TEST_PASSWORD,
    binaries: { root: link, major, postgres: bin('postgres'), initdb: bin('initdb') },
  })
  try {
    expect(await query(cluster.url, 'select 1 as up')).toEqual([{ up: 1 }])
  } finally {
    await cluster.stop()
  }
})
