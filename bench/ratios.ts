// The gate's bench of the hot path: does it need more CPU than expected-ratios.ts says? Each round measures everything once, the
// medians of the rounds' ratios count, and a run that fails is repeated once. Takes about a minute.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import * as ask from './data-api-requests.ts'
import type { LoadPlan, LoadResult, RequestPlan } from './data-api-types.ts'
import { fallenRatios, type Ratio, type Ratios } from './expected-ratios.ts'
import { usageOf } from './process-usage.ts'
import { runBundled } from './run-bundled.ts'

const ROUNDS = 5
const SECONDS = 1
const CONNECTIONS = 8
const MESSAGES = 20_000
/** Less than this much CPU in this time is nothing. */
const QUIET_S = 0.02
const QUIET_MS = 200
const MOST_WAITS = 25

type Server = { pid: number; port: number; key: string; databaseUrl: string; members: ask.Member[] }

const dataDir = await mkdtemp(join(tmpdir(), 'ratios-'))
const { child, ready } = await runBundled<Server>('data-api-server.ts', [dataDir, `${MESSAGES}`])
const postmaster = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')
const pids = [ready.pid, Number.parseInt(postmaster)]
const clients = await connectAll()
const plainClients = await connectAll('set session_replication_role = replica')
const filledAt = new Date()
let fallen: string[] = []
try {
  await measureRound()
  for (let tries = 0; tries < 2; tries++) {
    fallen = fallenRatios(await measure())
    if (fallen.length === 0) break
  }
} finally {
  await Promise.all([...clients, ...plainClients].map((client) => client.end()))
  child.kill('SIGTERM')
  await once(child, 'exit')
  await rm(dataDir, { recursive: true, force: true })
}
if (fallen.length > 0) {
  console.error(['Fallen by more than a third, twice:', ...fallen].join('\n  '))
  process.exitCode = 1
}

async function measure(): Promise<Ratios> {
  const rounds: Ratios[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound())
  const names = Object.keys(rounds[0] ?? {}) as Ratio[]
  const medians = Object.fromEntries(
    names.map((name) => [name, median(rounds.map((round) => round[name]))]),
  ) as Ratios
  for (const name of names) console.log(`${name}: ${medians[name].toFixed(3)}`)
  return medians
}

/** The first one warms up. Inserts come last: the server still tells of them a little later. */
async function measureRound(): Promise<Ratios> {
  await forgetInserts()
  const { members, key } = ready
  const read = await cost(() => askServer(ask.readRequests(members, key)))
  const readSql = await cost(() => runSql(clients, 'read'))
  const list = await cost(() => askServer(ask.chatListRequests(members, key)))
  const plain = await cost(() => runSql(plainClients, 'insert'))
  const all = await cost(() => runSql(clients, 'insert'))
  return {
    'read latest 50: its SQL alone / server': readSql / read,
    'insert: without triggers / with all': plain / all,
    'read latest 50 / chat list': read / list,
  }
}

/**
 * Every round begins with the same data. A chat list counts what was said since its member last wrote, so it would cost the
 * more, the more inserts a fast machine got through.
 */
async function forgetInserts(): Promise<void> {
  const [client] = plainClients
  await client?.query('delete from public.chat_messages where sent_at > $1', [filledAt])
  await client?.query('update private.chat_participants set last_read_at = null')
  await client?.query('select private.find_far_back(array(select id from public.chats))')
  await client?.query('vacuum analyze public.chat_messages')
  await client?.query('vacuum analyze private.chat_participants')
  await client?.query('vacuum analyze private.far_back')
}

/** Seconds of CPU of the server and Postgres for each of what is done: a busy machine lengthens the time, hardly the work. */
async function cost(work: () => Promise<number>): Promise<number> {
  const before = await usedWhenQuiet()
  const done = await work()
  return ((await usedWhenQuiet()) - before) / done
}

async function usedWhenQuiet(): Promise<number> {
  let { cpuS } = usageOf(pids)
  for (let tries = 0; tries < MOST_WAITS; tries++) {
    await wait(QUIET_MS)
    const before = cpuS
    cpuS = usageOf(pids).cpuS
    if (cpuS - before <= QUIET_S) break
  }
  return cpuS
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
}

/** How many requests the server responded to. */
async function askServer(asked: RequestPlan[]): Promise<number> {
  const plan: LoadPlan = {
    ...{ port: ready.port, connections: CONNECTIONS, seconds: SECONDS, requests: asked },
  }
  const generator = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'data-api-load.ts')],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  generator.stdin.end(JSON.stringify(plan))
  const { requests, failed } = JSON.parse(await text(generator.stdout)) as LoadResult
  if (failed > 0) throw new Error(`${failed} requests failed`)
  return requests
}

/** How many transactions ran: the caller's role and claims, and the statement, as the server sends them. */
async function runSql(through: readonly pg.Client[], kind: 'read' | 'insert'): Promise<number> {
  const scripts = ask
    .pgbenchScripts(kind, ready.members)
    .map((script) => script.replaceAll(/^\\.*$/gm, ''))
  const end = performance.now() + SECONDS * 1000
  let done = 0
  await Promise.all(
    through.map(async (client) => {
      while (performance.now() < end) await client.query(scripts[done++ % scripts.length] ?? '')
    }),
  )
  return done
}

async function connectAll(first = 'select'): Promise<pg.Client[]> {
  return Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new pg.Client(ready.databaseUrl)
      await client.connect()
      await client.query(first)
      return client
    }),
  )
}
