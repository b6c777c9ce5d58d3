// The rows of the root resource: `limit` and `offset` intersected with the Range header.
import { restErrors } from '#rest/errors.ts'
import type { At, Range } from './request-types.ts'

export type RangeQuery = { offset: number; limit: number | null }

const HEADER = /^(\d{1,15})-(\d{0,15})$/

/** @param header the Range header of a GET; null for other methods, which ignore it */
export function rangeQuery(ranges: At<Range>[], header: string | null, method: string): RangeQuery {
  const parameter = ranges.find(({ path }) => path.length === 0)?.what
  const requested: RangeQuery = {
    offset: parameter?.offsetNumber ?? 0,
    limit: parameter?.limit ?? null,
  }
  if (method === 'PUT' && parameter) throw restErrors.putWithLimit()
  const found = header === null ? null : HEADER.exec(header.replace(/^items=/, ''))
  if (!found || requested.limit === 0) return requested
  const first = Number(found[1])
  const last = found[2] ? Number(found[2]) : Infinity
  if (last < first) {
    throw restErrors.invalidRange(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    )
  }
  const offset = Math.max(first, requested.offset)
  const end = Math.min(
    last,
    requested.limit === null ? Infinity : requested.offset + requested.limit - 1,
  )
  if (end < offset) {
    throw restErrors.invalidRange('Limit should be greater than or equal to zero.')
  }
  return { offset, limit: end === Infinity ? null : end - offset + 1 }
}
