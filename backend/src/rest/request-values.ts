import type { ParsedRequest } from './parse-request.ts'

/** Where the values that do not come from the query string stand: behind those that do. */
export function valuePlaces({ query }: ParsedRequest) {
  const start = query.values.length
  return { offset: start, maxAffected: start + 1, body: start + 2 }
}

/** All values of a request; statements take theirs by place. The body is last, as a form has many. */
export function requestValues(request: ParsedRequest): (string | null)[] {
  const { query, range, preferences, body } = request
  return [
    ...query.values,
    String(range.offset),
    String(preferences.maxAffected ?? 0),
    ...bodyValues(body),
  ]
}

function bodyValues(body: ParsedRequest['body']): string[] {
  if (!body) return []
  return body.kind === 'form' ? body.pairs.map(({ value }) => value) : [body.text]
}
