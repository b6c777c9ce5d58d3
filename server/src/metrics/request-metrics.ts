import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Metric, Sample } from './exposition.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const SERVICE = /^\/(auth|rest|batch|storage|realtime|functions)\/v1(\/|$|\?)/

type Service = { responses: Map<string, number>; buckets: number[]; count: number; seconds: number }

/** Counts the responses of `server` and its open sockets from now on. What a caller sends never becomes a label. */
export function watchRequests(server: Server): { metrics(): Metric[] } {
  const services = new Map<string, Service>()
  let sockets = 0

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const started = performance.now()
    const name = SERVICE.exec(request.url ?? '')?.[1] ?? 'app'
    response.once('close', () => {
      const service = services.get(name) ?? {
        ...{ responses: new Map<string, number>(), count: 0, seconds: 0 },
        buckets: BUCKETS.map(() => 0),
      }
      services.set(name, service)
      // A client that went away got no response.
      const status = response.writableFinished
        ? `${Math.floor(response.statusCode / 100)}xx`
        : 'aborted'
      service.responses.set(status, (service.responses.get(status) ?? 0) + 1)
      const seconds = (performance.now() - started) / 1000
      service.count++
      service.seconds += seconds
      BUCKETS.forEach((limit, index) => {
        if (seconds <= limit) service.buckets[index] = (service.buckets[index] ?? 0) + 1
      })
    })
  })
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
    sockets++
    socket.once('close', () => sockets--)
  })

  return {
    metrics: () => [
      {
        name: 'rally_requests_total',
        help: 'Responses by service and class of status.',
        type: 'counter',
        samples: [...services].flatMap(([service, { responses }]) =>
          [...responses].map(([status, value]) => ({ labels: { service, status }, value })),
        ),
      },
      {
        name: 'rally_request_seconds',
        help: 'How long responses took.',
        type: 'histogram',
        samples: [...services].flatMap(([service, figures]) => histogram(service, figures)),
      },
      {
        ...{ name: 'rally_sockets', help: 'Open realtime sockets.', type: 'gauge' },
        samples: [{ value: sockets }],
      },
    ],
  }
}

function histogram(service: string, { buckets, count, seconds }: Service): Sample[] {
  return [
    ...BUCKETS.map((limit, index) => ({
      ...{ suffix: '_bucket', labels: { service, le: String(limit) } },
      value: buckets[index] ?? 0,
    })),
    { suffix: '_bucket', labels: { service, le: '+Inf' }, value: count },
    { suffix: '_sum', labels: { service }, value: seconds },
    { suffix: '_count', labels: { service }, value: count },
  ]
}
