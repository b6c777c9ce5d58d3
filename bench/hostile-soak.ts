// Four members chat while others attack the same server through its public address: calm, hostile, calm again.
// Reports the members' latency in each phase, memory, log and disk at start and end, and that no message was lost.
// Usage: npx tsx bench/hostile-soak.ts [minutes of attack, default 10]
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from 'backend/postgres/free-port.ts'
import { openMember, type Member } from './hostile-soak-members.ts'
import { usageOf } from './process-usage.ts'
import { ROOT } from './product-database.ts'

const CALM_MS = Number(process.env.CALM_MS ?? 60_000)
const SEND_EVERY_MS = 1_000
const SETTLE_MS = 15_000
const CHATTERS = ['dana.reyes', 'theo.brandt', 'marcus.bell', 'elena.petrova']

const minutes = Number(process.argv[2] ?? 10)
const dataDir = await mkdtemp(join(tmpdir(), 'hostile-'))
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const server = spawn(process.execPath, ['server/dist/main.js', '--demo'], {
  cwd: ROOT,
  // So that the attackers come from many networks, as behind a proxy.
  env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, SITE_URL: url, TRUST_PROXY: '1' },
  stdio: ['ignore', 'ignore', 'inherit'],
})
process.on('exit', () => server.kill('SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
let serverEnded = false
server.on('exit', () => (serverEnded = true))
await untilReady()
const { supabaseKey } = (await (await fetch(`${url}/config.json`)).json()) as {
  supabaseKey: string
}
const members = await Promise.all(
  CHATTERS.map((name) => openMember(url, supabaseKey, `${name}@example.com`)),
)

report('at start')
await chatFor('calm', CALM_MS)
const attackers = spawn(
  process.execPath,
  [
    join(ROOT, 'node_modules/.bin/tsx'),
    join(ROOT, 'bench/hostile-soak-attackers.ts'),
    url,
    supabaseKey,
    `${minutes}`,
  ],
  { stdio: ['ignore', 'inherit', 'inherit'] },
)
await chatFor('hostile', minutes * 60_000)
await ended(attackers)
report('after the attack')
await chatFor('calm again', CALM_MS)
report('at the end')
await wait(SETTLE_MS)
const lost = await lostMessages(members)
console.log(lost.length === 0 && !serverEnded ? 'passed' : `FAILED: ${lost.join('; ')}`)
members.forEach((member) => member.close())
server.kill('SIGTERM')
await ended(server)
await rm(dataDir, { recursive: true, force: true })
process.exit(lost.length === 0 ? 0 : 1)

async function untilReady() {
  for (;;) {
    if (serverEnded) throw new Error('the server ended before it was ready')
    if (
      await fetch(`${url}/health`).then(
        (response) => response.ok,
        () => false,
      )
    )
      return
    await wait(100)
  }
}

async function ended(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Every member sends once a second; prints the latencies of sending and delivery. */
async function chatFor(phase: string, ms: number) {
  members.forEach((member) => member.startPhase())
  const until = performance.now() + ms
  let slowest = 0
  while (performance.now() < until && !serverEnded) {
    const due = performance.now() + SEND_EVERY_MS
    members.forEach((member) => void member.send())
    await wait(Math.max(0, due - performance.now()))
    slowest = Math.max(slowest, ...members.map((member) => member.oldestPendingMs()))
  }
  const stored = members.flatMap((member) => member.storedMs())
  const shown = members.flatMap((member) => member.shownMs())
  console.log(
    `${phase}: ${stored.length} messages stored, p50 ${at(stored, 0.5)} ms, p99 ${at(stored, 0.99)} ms; ` +
      `shown ${shown.length} times, p50 ${at(shown, 0.5)} ms, p99 ${at(shown, 0.99)} ms; ` +
      `refused ${members.reduce((sum, member) => sum + member.refused(), 0)}, longest wait ${Math.round(slowest)} ms`,
  )
}

function at(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? NaN)
}

function report(moment: string) {
  const { residentKb } = usageOf([server.pid ?? 0])
  const node = usageOf([server.pid ?? 0], false).residentKb
  console.log(
    `${moment}: node ${mebibytes(node * 1024)} MiB, with Postgres ${mebibytes(residentKb * 1024)} MiB; ` +
      `logs ${mebibytes(sizeOf(dataDir, /log/))} MiB, folder ${mebibytes(sizeOf(dataDir, /./))} MiB`,
  )
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1)
}

function sizeOf(folder: string, pattern: RegExp): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .reduce((sum, entry) => {
      const path = join(entry.parentPath, entry.name)
      return sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
    }, 0)
}

async function lostMessages(all: Member[]): Promise<string[]> {
  const sent = all.flatMap((member) => member.acknowledged())
  const problems = await Promise.all(
    all.map(async (member, index) => {
      const stored = new Set(await member.storedIds())
      const shown = new Set(member.shownIds())
      const missing = sent.filter((id) => !stored.has(id)).length
      const unseen = sent.filter((id) => !shown.has(id) && !stored.has(id)).length
      return [
        ...(missing > 0 ? [`member ${index} does not find ${missing} acknowledged messages`] : []),
        ...(unseen > 0 ? [`member ${index} was never shown ${unseen}`] : []),
      ]
    }),
  )
  return problems.flat()
}
