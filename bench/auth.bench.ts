// Password sign-ins (argon2id, 19 MiB) over 8 and 16 concurrent connections, while a member reads the latest 50
// messages of a chat 20 times a second; and the same reads without sign-ins. Rounds are interleaved; the medians count.
// Prints a table for README.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { SteadyPlan } from './auth-steady-reads.ts'
import { readRequests, type Member } from './data-api-requests.ts'
import type { LoadPlan, LoadResult, RequestPlan } from './data-api-types.ts'
import { runBundled } from './run-bundled.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const SECONDS = Number(process.env.SECONDS ?? 10)
const READS_PER_SECOND = 20
const AT_ONCE = [8, 16]
const MEMBERS = 500
const WANTED_PER_SECOND = 100
const WANTED_P99_MS = 50

type Server = { port: number; key: string; password: string; reader: Member }

const dataDir = await mkdtemp(join(tmpdir(), 'bench-auth-'))
const { child, ready: server } = await runBundled<Server>('auth-server.ts', [dataDir])
const samples = new Map<string, { signIns?: LoadResult; reads: LoadResult }[]>()
try {
  await signIns(8, 2)
  for (let round = 1; round <= ROUNDS; round++) {
    record('reads alone', { reads: await reads() })
    for (const connections of AT_ONCE) {
      const [done, meanwhile] = await Promise.all([signIns(connections, SECONDS), reads()])
      record(`${connections} sign-ins at once`, { signIns: done, reads: meanwhile })
    }
    console.error(`round ${round} of ${ROUNDS} done`)
  }
} finally {
  child.kill('SIGTERM')
  await once(child, 'exit')
  await rm(dataDir, { recursive: true, force: true })
}
report()

function signIns(connections: number, seconds: number): Promise<LoadResult> {
  const requests = Array.from({ length: MEMBERS }, (_, index): RequestPlan => {
    const body = { email: `${index + 1}@example.com`, password: server.password }
    return {
      method: 'POST',
      path: '/auth/v1/token?grant_type=password',
      headers: { apikey: server.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
  })
  const plan: LoadPlan = { port: server.port, connections, seconds, requests }
  return generate('data-api-load.ts', plan)
}

function reads(): Promise<LoadResult> {
  const plan: SteadyPlan = {
    port: server.port,
    perSecond: READS_PER_SECOND,
    seconds: SECONDS,
    requests: readRequests([server.reader], server.key),
  }
  return generate('auth-steady-reads.ts', plan)
}

async function generate(file: string, plan: object): Promise<LoadResult> {
  const args = ['--import', 'tsx', join(import.meta.dirname, file)]
  const generator = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  generator.stdin.end(JSON.stringify(plan))
  return JSON.parse(await text(generator.stdout)) as LoadResult
}

function record(name: string, taken: { signIns?: LoadResult; reads: LoadResult }) {
  samples.set(name, [...(samples.get(name) ?? []), taken])
  console.error(name, JSON.stringify(taken))
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
}

function report() {
  console.log(
    `${availableParallelism()} × ${cpus()[0]?.model}, Node ${process.version}, medians of ${ROUNDS} rounds of ${SECONDS} s\n`,
  )
  console.log('| What | sign-ins/s | p50 ms | p99 ms | reads p50 ms | reads p99 ms | failed |')
  console.log('| --- | --- | --- | --- | --- | --- | --- |')
  for (const [name, taken] of samples) {
    const of = (read: (each: (typeof taken)[number]) => number | undefined) => {
      const value = median(taken.map((each) => read(each) ?? NaN))
      return Number.isNaN(value) ? '' : value.toFixed(1)
    }
    const failed = taken.reduce(
      (sum, { signIns: s, reads: r }) => sum + (s?.failed ?? 0) + r.failed,
      0,
    )
    const cells = [
      of(({ signIns: done }) => done?.perSecond),
      of(({ signIns: done }) => done?.p50Ms),
      of(({ signIns: done }) => done?.p99Ms),
      of(({ reads: done }) => done.p50Ms),
      of(({ reads: done }) => done.p99Ms),
      failed,
    ]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
  for (const connections of AT_ONCE) {
    const taken = samples.get(`${connections} sign-ins at once`) ?? []
    const rate = median(taken.map(({ signIns: done }) => done?.perSecond ?? NaN))
    const p99 = median(taken.map(({ reads: done }) => done.p99Ms))
    const verdict = (isReached: boolean) => (isReached ? 'reached' : 'missed')
    console.log(
      `\n${connections} at once: ≥ ${WANTED_PER_SECOND}/s ${verdict(rate >= WANTED_PER_SECOND)} (${rate.toFixed(0)}), ` +
        `reads' p99 < ${WANTED_P99_MS} ms ${verdict(p99 < WANTED_P99_MS)} (${p99.toFixed(1)})`,
    )
  }
}
