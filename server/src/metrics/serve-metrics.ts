// `GET /_metrics` for Prometheus, for whoever has METRICS_TOKEN.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Backend } from 'backend/gateway/start-backend.ts'
import type { Settings } from '../settings.ts'
import type { GatherMetrics } from '../workers/gather-metrics.ts'
import { databaseMetrics } from './database-metrics.ts'
import { CONTENT_TYPE, exposition } from './exposition.ts'
import { watchProcess } from './process-metrics.ts'
import { watchRequests } from './request-metrics.ts'

/** However often it is asked for, the figures are collected once in this time. */
const FRESH_MS = 5_000

/** Without METRICS_TOKEN there are none. @param gather asks the other workers */
export function serveMetrics(
  backend: Pick<Backend, 'app' | 'database' | 'mail'>,
  { METRICS_TOKEN: token, DATA_DIR }: Settings,
  gather: GatherMetrics = (own) => own,
): { close(): void } {
  if (!token) {
    // Not the web app's page, which would give a monitor a 200.
    backend.app.get('/_metrics', (_request, reply) =>
      reply.code(404).send({ message: 'Off: METRICS_TOKEN is not set.' }),
    )
    return { close: () => undefined }
  }
  const requests = watchRequests(backend.app.server)
  const own = watchProcess(DATA_DIR)
  const expected = digest(`Bearer ${token}`)
  let latest: { at: number; text: Promise<string> } | null = null

  const gatherAll = gather(async () => [...requests.metrics(), ...(await own.metrics())])

  function collect(): Promise<string> {
    const now = performance.now()
    if (!latest || now - latest.at > FRESH_MS) {
      const parts = [gatherAll(), databaseMetrics(backend)]
      latest = { at: now, text: Promise.all(parts).then((all) => exposition(all.flat())) }
    }
    return latest.text
  }

  backend.app.get('/_metrics', async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .send({ message: 'Send the METRICS_TOKEN of this server as a bearer token.' })
    }
    return reply.type(CONTENT_TYPE).send(await collect())
  })
  return own
}

/** Of the same length, whatever was sent. */
const digest = (text: string) => createHash('sha256').update(text).digest()
