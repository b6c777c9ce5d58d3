import type { GuardedClient } from 'backend/postgres/guarded-client.ts'

const AT_ONCE = 500

/** The rows of a query through a cursor, a page at a time; needs a transaction. */
export async function* readInPages<Row extends object>(
  client: GuardedClient,
  cursor: string,
  text: string,
  values: unknown[] = [],
): AsyncGenerator<Row> {
  await client.query(`declare ${cursor} no scroll cursor for ${text}`, values)
  try {
    for (;;) {
      const { rows } = await client.query<Row>(`fetch ${AT_ONCE} from ${cursor}`)
      yield* rows
      if (rows.length < AT_ONCE) break
    }
  } finally {
    // Fails if the transaction did, which ends the cursor as well.
    await client.query(`close ${cursor}`).catch(() => undefined)
  }
}
