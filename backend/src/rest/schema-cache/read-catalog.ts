// Reads the catalog in batches. A database may have thousands of tables, whose description is larger than a single
// response may be.
import type { ServiceDatabase } from '#postgres/database.ts'
import type { Query } from '#postgres/statement.ts'
import { CATALOG_QUERIES } from './catalog-query.ts'
import type { Catalog } from './catalog-types.ts'

/** Rows per batch: a table with many columns, or the definition of a view, can be hundreds of kilobytes long. */
const BATCH = { large: 25, small: 1_000 }

type Part = keyof Catalog

/** Reads all parts from one snapshot, so that they are consistent. */
export function readCatalog(
  database: ServiceDatabase,
  schemas: readonly string[],
): Promise<Catalog> {
  return database.transaction(async (query) => {
    await query({ text: 'set transaction isolation level repeatable read, read only' })
    const parts: [Part, unknown[]][] = []
    for (const part of Object.keys(CATALOG_QUERIES) as Part[])
      parts.push([part, await readPart(query, part, schemas)])
    return Object.fromEntries(parts) as Catalog
  })
}

async function readPart(query: Query, part: Part, schemas: readonly string[]): Promise<unknown[]> {
  const text = CATALOG_QUERIES[part]
  await query({
    text: `declare part no scroll cursor for select row_to_json(part.*)::text as row from (${text}) as part`,
    values: text.includes('$1') ? [schemas] : [],
  })
  const size = part === 'tables' || part === 'views' ? BATCH.large : BATCH.small
  const found: unknown[] = []
  for (;;) {
    const { rows } = await query({ text: `fetch ${size} from part` })
    for (const { row } of rows as { row: string }[]) found.push(JSON.parse(row))
    if (rows.length < size) break
  }
  await query({ text: 'close part' })
  return found
}
