// Fuzzes the Data API on a real database, by default for a few seconds. `FUZZ_REQUESTS=1000000` runs as many requests
// as the release check; `FUZZ_SEED` repeats a run.
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anonymousCaller } from '#http/caller.ts'
import type { Context } from '#http/context.ts'
import { ClientSignal } from '#http/client-signal.ts'
import { ServiceError } from '#http/service-error.ts'
import { RequestFuzzer, type FuzzedRequest } from '../../testing/request-fuzzer.ts'
import { startTestBackend, type TestBackend } from '../../testing/start-test-backend.ts'
import { createRestService, type RestService } from './service.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 10_000)
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)
const IN_FLIGHT = 16
const log = pino({ level: 'silent' })

let backend: TestBackend
let rest: RestService
let observer: pg.Client
beforeAll(async () => {
  const schema = new URL('../../conformance/rest-schema.sql', import.meta.url)
  backend = await startTestBackend({ sql: await readFile(schema, 'utf8') })
  rest = createRestService({
    database: backend.database,
    schemas: ['public'],
    log,
    aggregates: true,
    explain: true,
    allowRollback: true,
  })
  await rest.ready()
  observer = new pg.Client(backend.superuserUrl)
  await observer.connect()
})
afterAll(async () => {
  await observer.end()
  rest.close()
  await backend.close()
})

function context(): Context {
  return {
    requestId: 'test',
    caller: anonymousCaller,
    clientAddress: '127.0.0.1',
    signal: new ClientSignal(),
    holdBody: () => undefined,
    origin: backend.url,
    clock: backend.clock,
    randomId: () => 'test',
    log,
  }
}

/** The status of the response. Any thrown error other than a ServiceError would be a 500. */
async function statusOf({
  method,
  path,
  headers,
  body,
}: FuzzedRequest): Promise<{ status: number; error?: unknown }> {
  let request: Request
  try {
    request = new Request(`${backend.url}/rest/v1${path}`, { method, headers, body })
    // Keeps the rows for later requests to read.
    if (method !== 'GET') request.headers.append('prefer', 'tx=rollback')
  } catch {
    return { status: 400 }
  }
  try {
    const response = await rest.handle(request, context())
    await response.arrayBuffer()
    return { status: response.status }
  } catch (error) {
    return { status: error instanceof ServiceError ? error.status : 500, error }
  }
}

async function countConnections(): Promise<{ all: number; stuck: number }> {
  const { rows } = await observer.query<{ all: number; stuck: number }>(
    `select count(*)::int as all, (count(*) filter (where state like 'idle in transaction%'))::int as stuck
     from pg_stat_activity where datname = current_database()`,
  )
  return rows[0] ?? { all: 0, stuck: 0 }
}

test(
  `${REQUESTS} malformed requests (seed ${SEED}) never cause an internal error or leave anything behind`,
  { timeout: 3_600_000 },
  async () => {
    const fuzzer = new RequestFuzzer(SEED)
    const before = await observer.query<{ text: string }>(
      `select string_agg(relname, ',' order by relname) as text from pg_class where relnamespace = 'public'::regnamespace`,
    )
    const statuses = new Map<number, number>()
    const failures = new Map<string, object>()
    let left = REQUESTS
    const worker = async () => {
      while (left-- > 0) {
        const request = fuzzer.next()
        const { status, error } = await statusOf(request)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status >= 500)
          failures.set(String(error), { request, status, code: (error as ServiceError).code })
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
    expect([...failures]).toEqual([])
    // The run is only meaningful if enough requests reached Postgres.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 100)
    const { all, stuck } = await countConnections()
    expect(stuck).toBe(0)
    expect(all).toBeLessThan(25)
    const after = await observer.query<{ text: string }>(
      `select string_agg(relname, ',' order by relname) as text from pg_class where relnamespace = 'public'::regnamespace`,
    )
    expect(after.rows).toEqual(before.rows)
    if (process.env.FUZZ_REQUESTS)
      process.stdout.write(
        `${JSON.stringify([...statuses].sort(([one], [other]) => one - other))}\n`,
      )
  },
)
