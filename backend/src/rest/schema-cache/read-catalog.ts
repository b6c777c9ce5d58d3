// Reads the catalog in batches. A database may have thousands of tables, whose description is larger than a single
// response may be.
import type { Logger } from 'pino'
import type { ServiceDatabase } from '#postgres/database.ts'
import type { Query } from '#postgres/statement.ts'
import { CATALOG_QUERIES } from './catalog-query.ts'
import type { Catalog } from './catalog-types.ts'

/** Rows per batch: a table with many columns, or the definition of a view, can be megabytes long. */
const BATCH = { large: 10, small: 1_000 }
/** A batch with the largest rows is still smaller than a response of Postgres may be. */
const BATCH_BYTES = 30 * 1024 * 1024

type Part = keyof Catalog

/** Reads all parts from one snapshot, so that they are consistent. */
export function readCatalog(
  database: ServiceDatabase,
  schemas: readonly string[],
  log: Logger,
): Promise<Catalog> {
  return database.transaction(async (query) => {
    await query({ text: 'set transaction isolation level repeatable read, read only' })
    const parts: [Part, unknown[]][] = []
    for (const part of Object.keys(CATALOG_QUERIES) as Part[])
      parts.push([part, await readPart(query, part, schemas, log)])
    return Object.fromEntries(parts) as Catalog
  })
}

/** Leaves out a row that is too large to read, so that one odd object hides no other. */
async function readPart(
  query: Query,
  part: Part,
  schemas: readonly string[],
  log: Logger,
): Promise<unknown[]> {
  const text = CATALOG_QUERIES[part]
  const size = ['tables', 'views', 'routines'].includes(part) ? BATCH.large : BATCH.small
  const bytes = Math.floor(BATCH_BYTES / size)
  // `offset 0` keeps Postgres from writing each row twice.
  const rowsText = `select row_to_json(part.*)::text as line from (${text}) as part offset 0`
  await query({
    text: `declare part no scroll cursor for select case when octet_length(line) <= ${bytes} then line end as line from (${rowsText}) as read`,
    values: text.includes('$1') ? [schemas] : [],
  })
  const found: unknown[] = []
  for (;;) {
    const { rows } = await query({ text: `fetch ${size} from part` })
    for (const { line } of rows as { line: string | null }[])
      if (line !== null) found.push(JSON.parse(line))
      else log.warn({ part }, 'left out of the schema cache: too large')
    if (rows.length < size) break
  }
  await query({ text: 'close part' })
  return found
}
