// Holds the schema that requests are planned with. A request takes what is there and never waits; a reload builds a
// new schema aside and puts it in place in one step.
import type { Logger } from 'pino'
import type { Database } from '#postgres/database.ts'
import { buildSchema, type Catalog } from './build-schema.ts'
import { CATALOG_QUERY } from './catalog-query.ts'
import { restErrors } from './errors.ts'
import type { Schema } from './schema-types.ts'

const CHANNEL = 'pgrst'
/** One migration announces many changes; a reload waits this long for the last one. */
const SETTLE_MS = 50
const RETRY_MS = 1_000

export type SchemaCache = {
  /** @throws ServiceError 503 before the first schema was read */
  current(): Schema
  ready(): Promise<void>
  close(): void
}

export function createSchemaCache(
  database: Database,
  schemas: readonly string[],
  log: Logger,
): SchemaCache {
  const catalog = database.asService('realtime', 'the catalogue belongs to no member')
  let schema: Schema | null = null
  let version = 0
  let reading: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let stopListening: (() => void) | undefined
  let closed = false

  async function read(): Promise<void> {
    const { rows } = await catalog.query({ text: CATALOG_QUERY, values: [schemas] })
    const [row] = rows as { catalog: string }[]
    if (row && !closed) schema = buildSchema(JSON.parse(row.catalog) as Catalog, schemas, ++version)
  }

  /** Reads again after the read at hand, because that one may have looked too early. */
  function reload() {
    if (closed) return
    reading = (reading ?? Promise.resolve()).then(read).catch((error: unknown) => {
      log.error({ err: error }, 'the schema could not be read')
      schedule(RETRY_MS)
    })
  }

  function schedule(delay: number) {
    clearTimeout(timer)
    if (!closed) timer = setTimeout(reload, delay)
  }

  async function start() {
    stopListening = await database.listener.listen(
      CHANNEL,
      (payload) => {
        // An empty payload means everything; `reload config` has no meaning here.
        if (payload === '' || payload === 'reload schema') schedule(SETTLE_MS)
      },
      () => schedule(0),
    )
    await read()
  }

  let starting: Promise<void> | null = null
  return {
    current() {
      if (!schema) throw restErrors.noSchemaCache()
      return schema
    },
    ready: () => (starting ??= start()),
    close() {
      closed = true
      clearTimeout(timer)
      stopListening?.()
    },
  }
}
