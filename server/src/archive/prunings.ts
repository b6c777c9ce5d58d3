import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { parseRanges } from './number-ranges.ts'

/** No record may go before; Rule 17a-4(b)(4) and the constraint of archive.retention. */
const LEAST_DAYS = 3 * 365
const DAY_MS = 24 * 60 * 60_000

export type Prunings = {
  /** Whether the archive says that this record was pruned, after its seal was three years old. */
  allow(seq: number, sealedAt: string): boolean
}

/** What the records of kind archive.pruned say; they are under seals like all others. */
export async function readPrunings(client: GuardedClient): Promise<Prunings> {
  const { rows } = await client.query<{ at: Date; records: string }>(
    `select r.recorded_at as at, r.content ->> 'records' as records from archive.records r
     where r.kind = 'archive.pruned' order by r.seq`,
  )
  const pruned = rows
    .flatMap(({ at, records }) =>
      parseRanges(records).map((range) => ({ ...range, at: at.getTime() })),
    )
    .sort((one, other) => one.from - other.from)
  return {
    allow(seq, sealedAt) {
      let [low, high] = [0, pruned.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((pruned[middle]?.end ?? 0) <= seq) low = middle + 1
        else high = middle
      }
      const range = pruned[low]
      return (
        range !== undefined &&
        range.from <= seq &&
        range.at - Date.parse(sealedAt) >= LEAST_DAYS * DAY_MS
      )
    },
  }
}
