import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { parseRanges } from './number-ranges.ts'

/** As archive.retention begins. */
const YEARS_AT_FIRST = 6
/** Of the shortest years. */
const YEAR_MS = 365 * 24 * 60 * 60_000

export type Prunings = {
  /**
   * Whether the archive says that this record was pruned, and not before its seal was as old as the shortest retention of that
   * day: of what kind a pruned record was, nobody can tell any more.
   */
  allow(seq: number, sealedAt: string): boolean
}

/** What the records of kind archive.pruned and archive.retention say; they are under seals like all others. */
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
  const leastYears = await readLeastYears(client)
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
        range.at - Date.parse(sealedAt) >= leastYears(range.at) * YEAR_MS
      )
    },
  }
}

/** @returns the years of the shortest retention at a time */
async function readLeastYears(client: GuardedClient): Promise<(at: number) => number> {
  const { rows } = await client.query<{ at: Date; category: string; years: number }>(
    `select r.recorded_at as at, r.content ->> 'category' as category, (r.content ->> 'years')::int as years
     from archive.records r where r.kind = 'archive.retention' order by r.seq`,
  )
  const categories = new Set(rows.map(({ category }) => category))
  return (at) => {
    const years = new Map([...categories].map((category) => [category, YEARS_AT_FIRST]))
    for (const row of rows) if (row.at.getTime() <= at) years.set(row.category, row.years)
    return Math.min(YEARS_AT_FIRST, ...years.values())
  }
}
