// Which rows of the outermost resource: `limit` and `offset`, cut with the Range header.
import { restErrors } from './errors.ts'
import type { At, Range } from './request-types.ts'

export type TopRange = { offset: number; limit: number | null }

const HEADER = /^(\d{1,15})-(\d{0,15})$/

/** @param header the Range header of a GET; other methods must not be cut by it */
export function topRange(ranges: At<Range>[], header: string | null, method: string): TopRange {
  const parameter = ranges.find(({ path }) => path.length === 0)?.what
  const asked: TopRange = { offset: parameter?.offsetNumber ?? 0, limit: parameter?.limit ?? null }
  if (method === 'PUT' && parameter) throw restErrors.putWithLimit()
  const found = header === null ? null : HEADER.exec(header.replace(/^items=/, ''))
  if (!found || asked.limit === 0) return asked
  const first = Number(found[1])
  const last = found[2] ? Number(found[2]) : Infinity
  if (last < first) {
    throw restErrors.invalidRange(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    )
  }
  const offset = Math.max(first, asked.offset)
  const end = Math.min(last, asked.limit === null ? Infinity : asked.offset + asked.limit - 1)
  if (end < offset) {
    throw restErrors.invalidRange('Limit should be greater than or equal to zero.')
  }
  return { offset, limit: end === Infinity ? null : end - offset + 1 }
}
