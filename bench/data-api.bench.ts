// The data API against the same SQL sent by pgbench and against @supabase/lite, on one Postgres with 500 members,
// 50 chats and 200,000 messages. Rounds are interleaved; the medians count. Prints a table for README.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startLite, type Lite } from './data-api-lite.ts'
import { runPgbench } from './data-api-pgbench.ts'
import * as ask from './data-api-requests.ts'
import type { LoadPlan, LoadResult, RequestPlan, Sample } from './data-api-types.ts'
import { usageOf } from './process-usage.ts'
import { runBundled } from './run-bundled.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const SECONDS = Number(process.env.SECONDS ?? 5)
const WARM_UP_SECONDS = 3
const CONNECTIONS = 32
const PGBENCH_CLIENTS = 8
const MESSAGES = 200_000
const FEW_MESSAGES = 20_000

type Server = {
  port: number
  key: string
  password: string
  databaseUrl: string
  members: ask.Member[]
  pid: number
}

const { rally, postmaster, stop } = await startRally(MESSAGES)
const small = await startRally(FEW_MESSAGES)
let lite: Lite | null = null
try {
  lite = await startLite(rally.databaseUrl.replace(/\/[^/]*$/, '/lite_bench'), rally.members)
} catch (error) {
  console.error(`Without lite: ${(error as Error).message}`)
}

const samples = new Map<string, Sample[]>()
try {
  for (let round = 1; round <= ROUNDS; round++) {
    for (const kind of ['read', 'insert'] as const) {
      const requests = kind === 'read' ? ask.readRequests : ask.insertRequests
      await sample(`${kind}: rally`, [rally.pid], rally.port, requests(rally.members, rally.key))
      await samplePgbench(kind)
      if (lite)
        await sample(`${kind}: lite`, [lite.pid], lite.port, requests(lite.members, lite.key))
    }
    // Index-only scans visit the table for pages written since the last vacuum, which would slow down only the large one.
    const { members, key, port } = small.rally
    const requests = ask.insertRequests(members, key)
    await load({ port, connections: CONNECTIONS, seconds: 2 * SECONDS, requests })
    for (const [name, server] of [
      ['chat list: rally', rally],
      ['chat list: rally, 20,000 messages', small.rally],
    ] as const) {
      const requests = ask.chatListRequests(server.members, server.key)
      await sample(name, [server.pid], server.port, requests)
    }
    if (lite) await sampleCallByCall(lite)
    console.error(`round ${round} of ${ROUNDS} done`)
  }
} finally {
  await lite?.stop()
  await Promise.all([stop(), small.stop()])
}
report()

async function startRally(messages: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-data-api-'))
  const { child, ready } = await runBundled<Server>('data-api-server.ts', [dataDir, `${messages}`])
  return {
    rally: ready,
    postmaster: await findPostmaster(dataDir),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function record(name: string, taken: Sample) {
  samples.set(name, [...(samples.get(name) ?? []), taken])
  console.error(name, JSON.stringify(taken))
}

async function sample(name: string, pids: number[], port: number, requests: RequestPlan[]) {
  await load({ port, connections: CONNECTIONS, seconds: WARM_UP_SECONDS, requests })
  const before = usageOf([...pids, postmaster]).cpuS
  const result = await load({ port, connections: CONNECTIONS, seconds: SECONDS, requests })
  const cpuS = usageOf([...pids, postmaster]).cpuS - before
  record(name, { ...result, cpuMsPerRequest: (1000 * cpuS) / result.requests })
}

async function load(plan: LoadPlan): Promise<LoadResult> {
  const generator = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'data-api-load.ts')],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  generator.stdin.end(JSON.stringify(plan))
  return JSON.parse(await text(generator.stdout)) as LoadResult
}

async function samplePgbench(kind: 'read' | 'insert') {
  const before = usageOf([postmaster]).cpuS
  const result = await runPgbench(
    rally.databaseUrl,
    rally.password,
    ask.pgbenchScripts(kind, rally.members),
    { clients: PGBENCH_CLIENTS, seconds: SECONDS },
  )
  if (!result) return
  const cpuS = usageOf([postmaster]).cpuS - before
  const { perSecond, meanMs } = result
  record(`${kind}: pgbench`, {
    perSecond,
    p50Ms: meanMs,
    p99Ms: NaN,
    cpuMsPerRequest: (1000 * cpuS) / (perSecond * SECONDS),
    failed: 0,
  })
}

/** Sequentially, like a client that waits for each response. */
async function sampleCallByCall({ members, key, port }: Lite) {
  const [member] = members
  if (!member) return
  const requests = ask.callByCallRequests(member, key)
  const started = performance.now()
  let failed = 0
  for (const { path, method, headers } of requests) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers })
    await response.arrayBuffer()
    if (!response.ok) failed++
  }
  const ms = performance.now() - started
  record('chat list: lite, call by call', {
    perSecond: 1000 / ms,
    p50Ms: ms,
    p99Ms: NaN,
    cpuMsPerRequest: NaN,
    failed,
  })
}

async function findPostmaster(folder: string): Promise<number> {
  const [pid] = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}

function median(values: number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
}

function report() {
  const show = (value: number, digits: number) => (Number.isNaN(value) ? '' : value.toFixed(digits))
  const middle = (name: string, field: keyof Sample) =>
    median((samples.get(name) ?? []).map((taken) => taken[field]))
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, medians of ${ROUNDS} interleaved rounds of ${SECONDS} s, ${CONNECTIONS} connections\n`,
  )
  console.log(
    '| What | per second | p50 ms | p99 ms | CPU ms | failed |\n| --- | --- | --- | --- | --- | --- |',
  )
  for (const name of samples.keys()) {
    console.log(
      `| ${name} | ${show(middle(name, 'perSecond'), 1)} | ${show(middle(name, 'p50Ms'), 1)} | ${show(middle(name, 'p99Ms'), 1)} | ${show(middle(name, 'cpuMsPerRequest'), 2)} | ${middle(name, 'failed')} |`,
    )
  }
  const ratio = (one: string, other: string) =>
    show(middle(one, 'perSecond') / middle(other, 'perSecond'), 2)
  console.log(
    `\nread: ${ratio('read: rally', 'read: lite')} × lite, ${ratio('read: rally', 'read: pgbench')} × pgbench`,
  )
  console.log(
    `insert: ${ratio('insert: rally', 'insert: lite')} × lite, ${ratio('insert: rally', 'insert: pgbench')} × pgbench`,
  )
  const list = 1000 / middle('chat list: rally', 'perSecond')
  console.log(
    `chat list: ${show(list, 2)} ms of a saturated server, ${show(middle('chat list: lite, call by call', 'p50Ms') / list, 0)} × lite call by call, ${ratio('chat list: rally, 20,000 messages', 'chat list: rally')} × the time at 20,000 messages`,
  )
}
