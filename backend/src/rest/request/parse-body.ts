// The body of a write or function call. It is passed to Postgres unchanged; only its keys are read here.
import { LIMITS as HTTP_LIMITS } from '#http/limits.ts'
import { isJsonObject, JsonTooComplex, parseJson } from '#http/parse-json.ts'
import { restErrors } from '#rest/errors.ts'
import { LIMITS } from '#rest/limits.ts'
import { parseCsv } from './parse-csv.ts'
import { queryPairs } from './query-pairs.ts'

export type Body =
  | { kind: 'json'; text: string; parsed: unknown; isArray: boolean; keys: string[] }
  | { kind: 'form'; pairs: { name: string; value: string }[] }
  /** Text, XML or bytes for a function's single unnamed parameter. */
  | { kind: 'raw'; text: string; as: 'text' | 'xml' | 'bytea' }

const RAW_TYPES = { 'text/plain': 'text', 'text/xml': 'xml' } as const
const NO_ROWS: Body = { kind: 'json', text: '[]', parsed: [], isArray: true, keys: [] }

type BodySettings = {
  contentType: string
  forFunction: boolean
  role: string
  /** The names in `columns=`; with it, rows may have different keys. */
  columns: string[] | null
}

export async function parseBody(request: Request, settings: BodySettings): Promise<Body> {
  const body = await readBody(request, settings)
  checkNames(body)
  return body
}

async function readBody(request: Request, settings: BodySettings): Promise<Body> {
  const { contentType, forFunction, columns } = settings
  const limit = maxBytes(settings)
  const declared = Number(request.headers.get('content-length'))
  if (declared > limit) throw restErrors.bodyTooLarge(limit)
  if (forFunction && contentType === 'application/octet-stream') {
    const bytes = Buffer.from(await request.arrayBuffer())
    if (bytes.length > limit) throw restErrors.bodyTooLarge(limit)
    return { kind: 'raw', text: `\\x${bytes.toString('hex')}`, as: 'bytea' }
  }
  const text = await request.text()
  const bytes = Buffer.byteLength(text)
  if (bytes > limit) throw restErrors.bodyTooLarge(limit)
  const mostRows = settings.role === 'service_role' ? Infinity : LIMITS.bodyRows
  if (contentType === 'application/json') return jsonBody(text, mostRows, settings)
  if (contentType === 'text/csv') return jsonOfCsv(text, mostRows)
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

function maxBytes({ role, forFunction }: BodySettings): number {
  if (role === 'service_role') return LIMITS.serviceBodyBytes
  if (role === 'anon') return HTTP_LIMITS.anonymousBodyBytes
  return forFunction ? LIMITS.callBodyBytes : LIMITS.bodyBytes
}

/** Checked first, because choosing a function and suggesting names take time per name. */
function checkNames(body: Body): void {
  const names = body.kind === 'json' ? body.keys : body.kind === 'form' ? body.pairs : []
  if (names.length > LIMITS.bodyKeys)
    throw restErrors.overLimit('names in the body', LIMITS.bodyKeys)
}

function jsonBody(
  text: string,
  mostRows: number,
  { forFunction, role, columns }: BodySettings,
): Body {
  if (text === '' && forFunction)
    return { kind: 'json', text: '{}', parsed: {}, isArray: false, keys: [] }
  let parsed: unknown
  try {
    // A trusted server may write as many rows as it likes.
    parsed = role === 'service_role' ? JSON.parse(text) : parseJson(text)
  } catch (error) {
    if (error instanceof JsonTooComplex) throw restErrors.invalidBody(error.message)
    throw restErrors.invalidBody('Empty or invalid json')
  }
  if (Array.isArray(parsed) && parsed.length > mostRows)
    throw restErrors.overLimit('rows in the body', mostRows)
  // A function with a single unnamed JSON parameter accepts any JSON.
  if (forFunction && !isJsonObject(parsed)) {
    return {
      kind: 'json',
      text,
      parsed,
      isArray: Array.isArray(parsed),
      keys: columns ?? keysOfRows(parsed),
    }
  }
  return ofRows(text, parsed, columns)
}

function ofRows(text: string, parsed: unknown, columns: string[] | null): Body {
  if (columns && (isJsonObject(parsed) || Array.isArray(parsed))) {
    return { kind: 'json', text, parsed, isArray: Array.isArray(parsed), keys: columns }
  }
  if (isJsonObject(parsed))
    return { kind: 'json', text, parsed, isArray: false, keys: Object.keys(parsed).sort() }
  if (!Array.isArray(parsed) || parsed.length === 0) return NO_ROWS
  return { kind: 'json', text, parsed, isArray: true, keys: keysOfRows(parsed) }
}

/** The keys of the rows. All rows must have the same keys, or values would be dropped silently. */
function keysOfRows(parsed: unknown): string[] {
  if (!Array.isArray(parsed) || parsed.length === 0) return []
  const first: unknown = parsed[0]
  if (!isJsonObject(first)) throw restErrors.invalidBody('All object keys must match')
  const keys = Object.keys(first)
  for (const row of parsed as unknown[]) {
    const hasSameKeys =
      isJsonObject(row) &&
      Object.keys(row).length === keys.length &&
      keys.every((key) => Object.hasOwn(row, key))
    if (!hasSameKeys) throw restErrors.invalidBody('All object keys must match')
  }
  return keys.sort()
}

// As in PostgREST, an uppercase NULL is null.
function jsonOfCsv(text: string, mostRows: number): Body {
  const { columns, rows } = parseCsv(text, mostRows)
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
        parsed: objects,
        isArray: true,
        keys: [...new Set(columns)].sort(),
      }
}
