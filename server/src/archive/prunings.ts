import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { parseRanges, rangeOf } from './number-ranges.ts'

/** As archive.retention begins. */
const YEARS_AT_FIRST = 6
/** Of the shortest years. */
const YEAR_MS = 365 * 24 * 60 * 60_000

export type Prunings = {
  /**
   * Whether the archive says that this record was pruned, and not before its seal was as old as the shortest retention of that
   * day: once a record is gone, nobody can tell of what kind it was.
   */
  allow(seq: number, sealedAt: string): boolean
}

/** What the records of kind archive.pruned and archive.retention say; they are under seals like all others. */
export async function readPrunings(client: GuardedClient): Promise<Prunings> {
  const { rows } = await client.query<{ at: Date; records: string }>(
    `select r.recorded_at as at, r.content ->> 'records' as records from archive.records r
     where r.kind = 'archive.pruned' order by r.seq`,
  )
  const leastYears = await readLeastYears(client)
  const pruned = rows
    .flatMap(({ at, records }) => {
      const sealedBefore = at.getTime() - leastYears(at) * YEAR_MS
      return parseRanges(records).map((range) => ({ ...range, sealedBefore }))
    })
    .sort((one, other) => one.from - other.from)
  return {
    allow(seq, sealedAt) {
      const range = rangeOf(pruned, seq)
      return range !== undefined && Date.parse(sealedAt) <= range.sealedBefore
    },
  }
}

/** @returns the years of the shortest retention at a time */
async function readLeastYears(client: GuardedClient): Promise<(at: Date) => number> {
  const { rows } = await client.query<{ at: Date; category: string; years: number }>(
    `select r.recorded_at as at, r.content ->> 'category' as category, (r.content ->> 'years')::int as years
     from archive.records r where r.kind = 'archive.retention' order by r.seq`,
  )
  const atFirst = rows.map(({ category }): [string, number] => [category, YEARS_AT_FIRST])
  return (at) => {
    const years = new Map(atFirst)
    for (const row of rows) if (row.at <= at) years.set(row.category, row.years)
    return Math.min(YEARS_AT_FIRST, ...years.values())
  }
}
