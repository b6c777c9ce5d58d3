// The body of a write or a function call. It goes to Postgres as the text it came as; only its keys are looked at.
import { restErrors } from './errors.ts'
import { parseCsv } from './parse-csv.ts'
import { queryPairs } from './query-pairs.ts'

export type Body =
  | { kind: 'json'; text: string; isArray: boolean; keys: string[] }
  | { kind: 'form'; pairs: { name: string; value: string }[] }
  /** Text, XML or bytes for a function's only, unnamed parameter. */
  | { kind: 'raw'; text: string; as: 'text' | 'xml' | 'bytea' }

const RAW_TYPES = { 'text/plain': 'text', 'text/xml': 'xml' } as const
const NO_ROWS: Body = { kind: 'json', text: '[]', isArray: true, keys: [] }

type BodySettings = {
  contentType: string
  forFunction: boolean
  /** The names of `columns=`; then rows may have different keys. */
  columns: string[] | null
}

export async function parseBody(request: Request, settings: BodySettings): Promise<Body> {
  const { contentType, forFunction, columns } = settings
  if (forFunction && contentType === 'application/octet-stream') {
    const bytes = Buffer.from(await request.arrayBuffer())
    return { kind: 'raw', text: `\\x${bytes.toString('hex')}`, as: 'bytea' }
  }
  const text = await request.text()
  if (contentType === 'application/json') return parseJson(text, forFunction, columns)
  if (contentType === 'text/csv') return jsonOfCsv(text)
  if (contentType === 'application/x-www-form-urlencoded') {
    const pairs = queryPairs(text)
    if (forFunction) return { kind: 'form', pairs }
    const row = Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
    return ofRows(JSON.stringify(row), row, columns)
  }
  if (forFunction && Object.hasOwn(RAW_TYPES, contentType)) {
    return { kind: 'raw', text, as: RAW_TYPES[contentType as keyof typeof RAW_TYPES] }
  }
  throw restErrors.invalidBody(`Content-Type not acceptable: ${contentType}`)
}

function parseJson(text: string, forFunction: boolean, columns: string[] | null): Body {
  if (text === '' && forFunction) return { kind: 'json', text: '{}', isArray: false, keys: [] }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw restErrors.invalidBody('Empty or invalid json')
  }
  // A function with one unnamed JSON parameter takes any JSON, so the text stays what it is.
  if (forFunction && !isObject(parsed)) {
    return {
      kind: 'json',
      text,
      isArray: Array.isArray(parsed),
      keys: columns ?? keysOfRows(parsed),
    }
  }
  return ofRows(text, parsed, columns)
}

function ofRows(text: string, parsed: unknown, columns: string[] | null): Body {
  if (columns && (isObject(parsed) || Array.isArray(parsed))) {
    return { kind: 'json', text, isArray: Array.isArray(parsed), keys: columns }
  }
  if (isObject(parsed))
    return { kind: 'json', text, isArray: false, keys: Object.keys(parsed).sort() }
  if (!Array.isArray(parsed) || parsed.length === 0) return NO_ROWS
  return { kind: 'json', text, isArray: true, keys: keysOfRows(parsed) }
}

/** The keys that all rows share; rows with other keys would lose values without a word. */
function keysOfRows(parsed: unknown): string[] {
  if (!Array.isArray(parsed) || parsed.length === 0) return []
  const first: unknown = parsed[0]
  if (!isObject(first)) throw restErrors.invalidBody('All object keys must match')
  const keys = Object.keys(first)
  for (const row of parsed as unknown[]) {
    const isLike =
      isObject(row) &&
      Object.keys(row).length === keys.length &&
      keys.every((key) => Object.hasOwn(row, key))
    if (!isLike) throw restErrors.invalidBody('All object keys must match')
  }
  return keys.sort()
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// NULL in capitals is how CSV says that a value is absent.
function jsonOfCsv(text: string): Body {
  const { columns, rows } = parseCsv(text)
  const objects = rows.map((row) =>
    Object.fromEntries(
      columns.map((name, index) => [name, row[index] === 'NULL' ? null : row[index]]),
    ),
  )
  return rows.length === 0
    ? NO_ROWS
    : {
        kind: 'json',
        text: JSON.stringify(objects),
        isArray: true,
        keys: [...new Set(columns)].sort(),
      }
}
