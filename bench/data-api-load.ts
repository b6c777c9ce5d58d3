// Sends requests over keep-alive connections and measures each, on plain sockets: a full HTTP client would use more CPU
// than what it measures. Reads a LoadPlan as JSON from stdin, prints a LoadResult.
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { LoadPlan, LoadResult, RequestPlan } from './data-api-types.ts'

const plan = JSON.parse(await text(process.stdin)) as LoadPlan
const wires = plan.requests.map(wireOf)
const end = performance.now() + plan.seconds * 1000
const latencies: number[] = []
let failed = 0
let next = 0

function wireOf({ method, path, headers, body = '' }: RequestPlan): Buffer {
  const lines = Object.entries({
    host: `127.0.0.1:${plan.port}`,
    'content-length': `${Buffer.byteLength(body)}`,
    ...headers,
  })
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

/** Resolves after the deadline, once the last response has arrived. */
function run(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    let started = 0
    let received = Buffer.alloc(0)
    const send = () => {
      if (performance.now() >= end) {
        socket.destroy()
        return resolve()
      }
      started = performance.now()
      socket.write(wires[next++ % wires.length] ?? '')
    }
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      if (!isWhole(received)) return
      latencies.push(performance.now() - started)
      if (received[9] !== 0x32) failed++
      received = Buffer.alloc(0)
      send()
    })
    socket.on('error', () => resolve())
    send()
  })
}

function isWhole(received: Buffer): boolean {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return false
  const headers = received.toString('latin1', 0, head)
  const length = /\r\ncontent-length: (\d+)/i.exec(headers)?.[1]
  if (length !== undefined) return received.length >= head + 4 + Number(length)
  return /\r\ntransfer-encoding: chunked/i.test(headers)
    ? received.toString('latin1', received.length - 5) === '0\r\n\r\n'
    : true
}

const started = performance.now()
await Promise.all(
  Array.from({ length: plan.connections }, () => {
    const socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true })
    return new Promise<void>((resolve) => socket.once('connect', () => resolve(run(socket))))
  }),
)
const seconds = (performance.now() - started) / 1000
latencies.sort((one, other) => one - other)
const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? NaN
const result: LoadResult = {
  perSecond: latencies.length / seconds,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  requests: latencies.length,
  failed,
}
console.log(JSON.stringify(result))
