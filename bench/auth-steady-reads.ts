// Sends requests at a constant rate and measures each from the moment it was due, so that a stalled server counts against
// every request due meanwhile (no coordinated omission). Reads a SteadyPlan as JSON from stdin, prints a LoadResult.
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadResult, RequestPlan } from './data-api-types.ts'

export type SteadyPlan = {
  port: number
  perSecond: number
  seconds: number
  requests: RequestPlan[]
}

const plan = JSON.parse(await text(process.stdin)) as SteadyPlan
const agent = new Agent({ keepAlive: true })
const latencies: number[] = []
let failed = 0

function ask({ method, path, headers }: RequestPlan): Promise<void> {
  return new Promise((resolve) => {
    const fail = () => {
      failed++
      resolve()
    }
    const call = request({ host: '127.0.0.1', port: plan.port, agent, method, path, headers })
    call.on('response', (response) => {
      if (response.statusCode !== 200) failed++
      response.resume().on('end', resolve).on('error', fail)
    })
    call.on('error', fail).end()
  })
}

const started = performance.now()
const all: Promise<void>[] = []
for (let number = 0; number < plan.perSecond * plan.seconds; number++) {
  const due = started + (1000 * number) / plan.perSecond
  const wait = due - performance.now()
  if (wait > 0) await sleep(wait)
  const next = plan.requests[number % plan.requests.length]
  if (next) all.push(ask(next).then(() => void latencies.push(performance.now() - due)))
}
await Promise.all(all)
agent.destroy()
latencies.sort((one, other) => one - other)
const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? NaN
const result: LoadResult = {
  perSecond: (1000 * latencies.length) / (performance.now() - started),
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  requests: latencies.length,
  failed,
}
console.log(JSON.stringify(result))
