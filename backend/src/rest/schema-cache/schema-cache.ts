// Caches the schema that requests are planned with. A request uses the current schema and never waits; a reload builds a
// new one and swaps it in atomically.
import type { Logger } from 'pino'
import type { Database } from '#postgres/database.ts'
import { restErrors } from '#rest/errors.ts'
import { buildSchema } from './build-schema.ts'
import { readCatalog } from './read-catalog.ts'
import type { Schema } from './schema-types.ts'

const CHANNEL = 'pgrst'
/** Debounces reloads, because one migration sends many notifications. */
const DEBOUNCE_MS = 50
const RETRY_MS = 1_000

export type SchemaCache = {
  /** @throws ServiceError 503 until the schema has been read once */
  current(): Schema
  ready(): Promise<void>
  close(): void
}

export function createSchemaCache(
  database: Database,
  schemas: readonly string[],
  log: Logger,
): SchemaCache {
  const catalog = database.asService('realtime', 'the schema cache is the same for all callers')
  let schema: Schema | null = null
  let version = 0
  let reading: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let stopListening: (() => void) | undefined
  let closed = false

  async function read(): Promise<void> {
    const found = await readCatalog(catalog, schemas, log)
    if (!closed) schema = buildSchema(found, schemas, ++version)
  }

  /** Reads once more after a read in progress, which may have started before the change. */
  function reload() {
    if (closed) return
    reading = (reading ?? Promise.resolve()).then(read).catch((error: unknown) => {
      log.error({ err: error }, 'the schema cache could not be loaded')
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
        // An empty payload reloads everything. The configuration kept in the database is read with the schema.
        if (['', 'reload schema', 'reload config'].includes(payload)) schedule(DEBOUNCE_MS)
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
