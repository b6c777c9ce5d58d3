import { join } from 'node:path'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { readInPages } from '../read-in-pages.ts'
import { SEAL_COLUMNS, sealLine, type SealRow } from '../record-line.ts'
import type { Extent } from './selection.ts'
import { writeWhole, type Written } from './hashed-file.ts'

export const SEALS = 'seals.jsonl'

/** From the first that covers one of them: an outsider can follow the chain from each record to the head. */
const READ = `
  select ${SEAL_COLUMNS}, coalesce((
    select range_agg(int8range(x.seq, x.seq + 1)) from export_selection x
    where x.seq between s.from_seq and s.to_seq and not s.open @> x.seq or x.seq = any (s.late)
  ), '{}')::text as included
  from archive.seals s
  where s.number <= $1 and s.to_seq >= coalesce((select min(x.seq) from export_selection x), 0)
  order by s.number`

/** Writes the seals, and the hashes under those that cover a record of this export. */
export function writeSeals(
  client: GuardedClient,
  folder: string,
  { seal }: Extent,
): Promise<Written> {
  return writeWhole(join(folder, SEALS), async (file) => {
    const rows = readInPages<SealRow & { included: string }>(client, 'export_seals', READ, [seal])
    for await (const row of rows) {
      await file.write(
        `${JSON.stringify({
          seal: Number(row.number),
          line: sealLine(row),
          hash: row.hash.toString('hex'),
          included: row.included,
          leaves: row.included === '{}' ? null : (row.leaves?.toString('hex') ?? null),
        })}\n`,
      )
    }
  })
}
