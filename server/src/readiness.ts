// `/health`: does it run? `/ready`: may requests be sent to it? A load balancer asks the second one, and needs a moment to notice.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { LIMITS } from 'backend/gateway/limits.ts'
import type { Backend } from 'backend/gateway/start-backend.ts'
import { SettingsError, type Settings } from './settings.ts'

/** However often it is asked, the database is asked once in this time. */
const FRESH_MS = 1_000
const DATABASE_TIMEOUT_MS = 2_000
/** Who asked twice within this time is taken for a load balancer; a person who looks once is not. */
const WATCHED_MS = 30_000
/** Longer than two looks of a load balancer that looks every two seconds. */
export const NOTICE_MS = 5_000

export type Readiness = {
  /** Makes `/ready` respond with 503. @returns the milliseconds that pollers take to notice; 0 if nobody polls */
  startDraining(): number
}

type Dependencies = Pick<Backend, 'app'> & { database: Pick<Backend['database'], 'ping'> }

/** Responds to `/ready` and `/health`. Before it, `respondWhileStarting` does. */
export function serveReadiness({ app, database }: Dependencies): Readiness {
  let isDraining = false
  let askedAt = [-Infinity, -Infinity] as const
  let latest = { at: -Infinity, responds: Promise.resolve(false) }

  async function askDatabase(): Promise<boolean> {
    const asked = database.ping()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), DATABASE_TIMEOUT_MS)
    })
    try {
      return await Promise.race([
        asked.then(
          () => true,
          () => false,
        ),
        late,
      ])
    } finally {
      clearTimeout(timer)
    }
  }

  function databaseResponds(): Promise<boolean> {
    const now = performance.now()
    if (now - latest.at > FRESH_MS) latest = { at: now, responds: askDatabase() }
    return latest.responds
  }

  app.get('/health', async (_request, reply) => {
    const isUp = await databaseResponds()
    void reply.header('cache-control', 'no-store').code(isUp ? 200 : 503)
    return reply.send({ status: isUp ? 'ok' : 'no database' })
  })
  app.get('/ready', async (_request, reply) => {
    askedAt = [askedAt[1], performance.now()]
    const status = isDraining ? 'draining' : (await databaseResponds()) ? 'ready' : 'no database'
    void reply.header('cache-control', 'no-store').code(status === 'ready' ? 200 : 503)
    return reply.send({ status })
  })
  return {
    startDraining() {
      isDraining = true
      return performance.now() - askedAt[0] < WATCHED_MS ? NOTICE_MS : 0
    },
  }
}

/**
 * Takes the port at once and responds with 503 until the services are there, which may take a while after an update.
 * @returns what gives the port free
 * @throws SettingsError if the port cannot be had
 */
export async function respondWhileStarting({
  PORT,
  HOST,
}: Pick<Settings, 'PORT' | 'HOST'>): Promise<() => Promise<void>> {
  const server = createServer((_request, response) => {
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    response.writeHead(503, { ...headers, 'retry-after': '2', connection: 'close' })
    response.end('{"status":"starting"}')
  })
  server.maxConnections = 1_000
  server.headersTimeout = server.requestTimeout = 5_000
  server.listen({ port: PORT, host: HOST, backlog: LIMITS.waitingConnections })
  try {
    await once(server, 'listening')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new SettingsError(
      code === 'EADDRINUSE'
        ? `Port ${PORT} is taken: stop the program that uses it, or set PORT to another number.`
        : `Cannot listen on ${HOST}:${PORT} (${code}).`,
      { cause },
    )
  }
  return async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}
