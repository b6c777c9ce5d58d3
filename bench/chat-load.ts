// The members: all online in one group, some of them sending. Reads a LoadPlan from a file, and reports to its parent the
// start and end of each phase (so that the parent can read the server's CPU time) and the results.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createDriver, messageText, type Driver } from './chat-drivers.ts'
import { createEjabberdDriver } from './chat-ejabberd-driver.ts'
import type { LoadPlan } from './chat-types.ts'

const CONNECT_AT_ONCE = 20
const DRAIN_TIMEOUT_MS = 30_000

export type LoadEvent =
  | { phase: 'connected' | 'saturating' | 'steady' }
  | {
      phase: 'done'
      messages: number
      deliveries: number
      seconds: number
      missed: number
      latenciesMs: number[]
      cpu: number
    }
  | {
      phase: 'saturated'
      messages: number
      deliveries: number
      seconds: number
      cpu: number
    }

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LoadPlan
const members = plan.arena.seats.length
const watch = { parses: false }
const latencies: number[] = []
let deliveries = 0
const onDelivery = (sentAt: number | null) => {
  deliveries++
  if (sentAt !== null) latencies.push(performance.now() - sentAt)
}
const driver: Driver =
  plan.arena.kind === 'ejabberd'
    ? createEjabberdDriver(plan.arena, watch, onDelivery)
    : createDriver(plan.arena, watch, onDelivery)

function report(event: LoadEvent) {
  process.send?.(event)
}

async function drain(expected: number): Promise<number> {
  const started = performance.now()
  while (deliveries < expected && performance.now() - started < DRAIN_TIMEOUT_MS) await wait(10)
  return expected - deliveries
}

for (let seat = 0; seat < members; seat += CONNECT_AT_ONCE) {
  const some = Array.from({ length: Math.min(CONNECT_AT_ONCE, members - seat) }, (_, n) => seat + n)
  await Promise.all(some.map((each) => driver.connect(each)))
}
await wait(1000)
report({ phase: 'connected' })

// Warm up, then count only deliveries within the time.
let messages = 0
const talk = async (seat: number, until: number) => {
  while (performance.now() < until) {
    await driver.say(seat, messageText())
    messages++
  }
}
const everyone = Array.from({ length: plan.senders }, (_, seat) => seat)
await Promise.all(everyone.map((seat) => talk(seat, performance.now() + 1500)))
await drain(messages * members)
deliveries = messages = 0
report({ phase: 'saturating' })
let cpu = process.cpuUsage()
let started = performance.now()
const until = started + plan.saturateForS * 1000
const talking = Promise.all(everyone.map((seat) => talk(seat, until)))
await wait(plan.saturateForS * 1000)
const counted = { messages, deliveries }
const seconds = (performance.now() - started) / 1000
const used = process.cpuUsage(cpu)
report({ phase: 'saturated', ...counted, seconds, cpu: (used.user + used.system) / 1e6 / seconds })
await talking
let missed = await drain(messages * members)

deliveries = messages = 0
watch.parses = true
report({ phase: 'steady' })
cpu = process.cpuUsage()
started = performance.now()
const total = plan.steadyForS * plan.steadyPerS
const said: Promise<void>[] = []
for (let n = 0; n < total; n++) {
  const due = started + (n * 1000) / plan.steadyPerS
  await wait(Math.max(0, due - performance.now()))
  said.push(driver.say(n % plan.senders, messageText()))
}
await Promise.all(said)
missed += await drain(total * members)
const steadyS = (performance.now() - started) / 1000
const steadyCpu = process.cpuUsage(cpu)
latencies.sort((one, other) => one - other)
report({
  phase: 'done',
  messages: total,
  deliveries,
  seconds: steadyS,
  missed,
  latenciesMs: [0.5, 0.99].map((part) => latencies[Math.floor(latencies.length * part)] ?? NaN),
  cpu: (steadyCpu.user + steadyCpu.system) / 1e6 / steadyS,
})
driver.close()
process.disconnect?.()
