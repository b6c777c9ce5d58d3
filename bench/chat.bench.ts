// Delivering a stored, authorized message to everybody online: this backend against ejabberd's group chat and a bare
// broadcast. Usage: chat.bench.ts [members,…] [contestant,…]
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoadEvent } from './chat-load.ts'
import type { Arena, LoadPlan, LoadResult } from './chat-types.ts'
import { findEjabberd, startEjabberd } from './chat-ejabberd.ts'
import { usageOf } from './process-usage.ts'
import { runBundled } from './run-bundled.ts'

const SERVER_CORE = '0'
const LOAD_CORE = '1'
const BARE_PORT = 21_900
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const CONTESTANTS = ['ours', 'bare', 'ejabberd'] as const
type Contestant = (typeof CONTESTANTS)[number]

type Running = { arena: Arena; roots: number[]; stop(): Promise<void> }

async function startNode(file: string, args: string[]): Promise<Running> {
  const { child, ready } = await runBundled<Arena>(file, args, ['taskset', '-c', SERVER_CORE])
  return {
    arena: ready,
    roots: [child.pid ?? 0],
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function start(contestant: Contestant, members: number, dataDir: string): Promise<Running> {
  if (contestant === 'ours') return startNode('chat-server.ts', [`${members}`, dataDir])
  if (contestant === 'bare') return startNode('chat-bare-server.ts', [`${members}`, `${BARE_PORT}`])
  return startEjabberd(members, dataDir, SERVER_CORE)
}

async function measure(contestant: Contestant, members: number): Promise<LoadResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-chat-'))
  const { arena, roots, stop } = await start(contestant, members, dataDir)
  const plan: LoadPlan = {
    arena,
    senders: Math.min(64, members),
    saturateForS: 6,
    steadyForS: 8,
    steadyPerS: 20,
  }
  const planFile = join(dataDir, 'plan.json')
  await writeFile(planFile, JSON.stringify(plan))
  const idle = usageOf(roots)
  const load = fork(join(import.meta.dirname, 'chat-load.ts'), [planFile], {
    execPath: 'taskset',
    execArgv: ['-c', LOAD_CORE, process.execPath, '--import', 'tsx'],
  })
  try {
    return await watch(load, { members, roots, idleKb: idle.residentKb })
  } finally {
    load.kill()
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Watched = { members: number; roots: number[]; idleKb: number }

function watch(load: ChildProcess, { members, roots, idleKb }: Watched): Promise<LoadResult> {
  let kbPerSocket = NaN
  let before = usageOf(roots)
  let saturated: Extract<LoadEvent, { phase: 'saturated' }> | null = null
  let serverCpuPer100k = NaN
  return new Promise((resolve, reject) => {
    load.on('exit', (code) => reject(new Error(`the generator ended with ${code}`)))
    load.on('message', (event: LoadEvent) => {
      if (event.phase === 'connected') kbPerSocket = (usageOf(roots).residentKb - idleKb) / members
      else if (event.phase === 'saturating') before = usageOf(roots)
      else if (event.phase === 'saturated') {
        saturated = event
        const used = usageOf(roots).cpuS - before.cpuS
        serverCpuPer100k = (used / event.deliveries) * 100_000
      } else if (event.phase === 'done' && saturated) {
        const [p50Ms = NaN, p99Ms = NaN] = event.latenciesMs
        resolve({
          members,
          messagesPerS: saturated.messages / saturated.seconds,
          deliveriesPerS: saturated.deliveries / saturated.seconds,
          missed: event.missed,
          p50Ms,
          p99Ms,
          generatorCpu: saturated.cpu,
          serverCpuPer100k,
          kbPerSocket,
        })
      }
    })
  })
}

function median(results: LoadResult[]): LoadResult {
  const middle = (pick: (result: LoadResult) => number) =>
    results.map(pick).toSorted((one, other) => one - other)[Math.floor(results.length / 2)] ?? NaN
  const [first] = results
  if (!first) throw new Error('nothing was measured')
  const names = Object.keys(first) as (keyof LoadResult)[]
  const medians = names.map((name) => [name, middle((result) => result[name])])
  // Summed, not the median: one missed message in one round is one too many.
  const missed = Math.max(...results.map((result) => result.missed))
  return { ...(Object.fromEntries(medians) as LoadResult), missed }
}

function row(name: string, result: LoadResult): string {
  const cells = [
    name.padEnd(9),
    `${result.members}`.padStart(7),
    result.messagesPerS.toFixed(0).padStart(8),
    result.deliveriesPerS.toFixed(0).padStart(12),
    `${result.missed}`.padStart(6),
    result.serverCpuPer100k.toFixed(2).padStart(13),
    result.p50Ms.toFixed(1).padStart(7),
    result.p99Ms.toFixed(1).padStart(7),
    result.kbPerSocket.toFixed(0).padStart(9),
    result.generatorCpu.toFixed(2).padStart(10),
  ]
  return cells.join(' ')
}

const sizes = (process.argv[2] ?? '50,500,2000').split(',').map(Number)
const wanted = CONTESTANTS.filter((each) => (process.argv[3] ?? CONTESTANTS.join()).includes(each))
const contestants = wanted.filter((each) => each !== 'ejabberd' || findEjabberd() !== null)
if (wanted.length > contestants.length)
  console.log('ejabberd is left out: install Debian’s package ejabberd to compare with it\n')
console.log(
  'chat      members   msgs/s deliveries/s missed CPU s/100k del  p50 ms  p99 ms kB/socket generator',
)
for (const members of sizes) {
  const rounds = new Map<Contestant, LoadResult[]>()
  // Interleaved, so that a slow minute of the machine affects all.
  for (let round = 0; round < ROUNDS; round++)
    for (const contestant of contestants) {
      const result = await measure(contestant, members)
      if (process.env.VERBOSE) console.error(row(contestant, result))
      rounds.set(contestant, [...(rounds.get(contestant) ?? []), result])
    }
  for (const [contestant, results] of rounds) console.log(row(contestant, median(results)))
}
