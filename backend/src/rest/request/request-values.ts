import type { ParsedRequest } from './parse-request.ts'

/** Indexes of the values that do not come from the query string; they follow those that do. */
export function valueIndexes({ query }: ParsedRequest) {
  const start = query.values.length
  return { offset: start, maxAffected: start + 1, body: start + 2 }
}

/**
 * All values of a request, which statements refer to by index. The body is last because a form has many.
 * @param mostChanged bounds what `max-affected` asks for
 */
export function requestValues(
  request: ParsedRequest,
  mostChanged = Number.MAX_SAFE_INTEGER,
): (string | null)[] {
  const { query, range, preferences, body } = request
  const { handling, maxAffected } = preferences
  const asked = handling === 'strict' && maxAffected !== null ? maxAffected : mostChanged
  return [
    ...query.values,
    String(range.offset),
    String(Math.min(asked, mostChanged)),
    ...bodyValues(body),
  ]
}

function bodyValues(body: ParsedRequest['body']): string[] {
  if (!body) return []
  return body.kind === 'form' ? body.pairs.map(({ value }) => value) : [body.text]
}
