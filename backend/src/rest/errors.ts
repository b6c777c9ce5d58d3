// All errors the Data API returns on purpose. Codes, statuses and messages are PostgREST's, because clients compare
// them. docs/error-codes.md lists them.
import { ServiceError } from '#http/service-error.ts'
import { NO_ROOM } from '#postgres/errors.ts'
import { LIMITS } from './limits.ts'

function refusal(
  status: number,
  code: string,
  message: string,
  more: {
    details?: string | null
    hint?: string | null
    cause?: unknown
    headers?: Record<string, string>
  } = {},
): ServiceError {
  return new ServiceError({
    status,
    code,
    ...more,
    message: truncate(message),
    details: more.details && truncate(more.details),
    hint: more.hint && truncate(more.hint),
    headers: { ...proxyStatus(code), ...more.headers },
  })
}

/** Names the error's origin and code; a code that a function raises can be any text. */
export function proxyStatus(code: string): Record<string, string> {
  return /^[!-~]+$/.test(code) ? { 'proxy-status': `PostgREST; error=${code}` } : {}
}

/** Messages echo names and values from the request, so their length is limited. */
function truncate(text: string): string {
  const { messageCharacters } = LIMITS
  return text.length > messageCharacters ? `${text.slice(0, messageCharacters)}…` : text
}

/** The message `rest.refuse_if` (platform SQL) raises for a response larger than `LIMITS.responseBytes`. */
export const RESPONSE_TOO_LARGE = 'ANSWER'

export const restErrors = {
  connectionLost: (cause: unknown) =>
    refusal(503, 'PGRST001', 'Database client error. Retrying the connection.', { cause }),
  noRoom: (cause: unknown) => refusal(503, '53100', NO_ROOM, { cause }),
  noSchemaCache: () =>
    refusal(503, 'PGRST002', 'Could not query the database for the schema cache. Retrying.'),

  overLimit: (what: string, most: number) =>
    refusal(400, 'PGRST100', `Too many ${what}`, {
      details: `A request can have at most ${most.toLocaleString('en-US')}.`,
    }),
  bodyTooLarge: (bytes: number) =>
    refusal(413, 'payload_too_large', 'Payload too large', {
      details: `This request can have a body of at most ${bytes / 1024} KiB.`,
    }),
  wroteTooMuch: (seconds: number) =>
    refusal(429, 'PGRSTX02', 'You wrote too much in a short time. Try again later.', {
      headers: { 'retry-after': `${seconds}` },
    }),
  responseTooLarge: () =>
    refusal(400, 'PGRSTX01', 'The response would be too large', {
      hint: 'Ask for fewer rows, columns or embedded resources.',
    }),
  valueTooLong: (type: string, value: string) =>
    refusal(400, '22P02', `invalid input syntax for type ${type}: "${value}"`),
  undefinedColumn: (table: string, column: string) =>
    refusal(400, '42703', `column ${table}.${column} does not exist`),
  permissionDenied: (kind: 'table' | 'view', name: string) =>
    refusal(401, '42501', `permission denied for ${kind} ${name}`),

  invalidQuery: (message: string, details: string) =>
    refusal(400, 'PGRST100', message, { details }),
  invalidFunctionMethod: (method: string) =>
    refusal(405, 'PGRST101', `Cannot use the ${method} method on RPC`),
  invalidBody: (message: string) => refusal(400, 'PGRST102', message),
  invalidRange: (details: string, headers?: Record<string, string>) =>
    refusal(416, 'PGRST103', 'Requested range not satisfiable', { details, headers }),
  offsetOutOfBounds: (offset: number, total: number) =>
    restErrors.invalidRange(
      `An offset of ${offset} was requested, but there are only ${total} rows.`,
      { 'content-range': `*/${total}` },
    ),
  invalidFilters: () =>
    refusal(
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ),
  unknownSchema: (schema: string, exposed: readonly string[]) =>
    refusal(406, 'PGRST106', `Invalid schema: ${schema}`, {
      hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
    }),
  mediaTypeNotAvailable: (types: string[]) =>
    refusal(406, 'PGRST107', `None of these media types are available: ${types.join(', ')}`),
  notEmbedded: (resource: string) =>
    refusal(400, 'PGRST108', `'${resource}' is not an embedded resource in this request`, {
      hint: `Verify that '${resource}' is included in the 'select' query parameter.`,
    }),
  invalidResponseHeaders: () =>
    refusal(
      500,
      'PGRST111',
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    ),
  invalidResponseStatus: () =>
    refusal(500, 'PGRST112', 'response.status guc must be a valid status code'),
  putWithLimit: () =>
    refusal(400, 'PGRST114', 'limit/offset querystring parameters are not allowed for PUT'),
  putKeyMismatch: () =>
    refusal(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)'),
  notSingular: (rows: number) =>
    refusal(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${rows} rows`,
    }),
  unsupportedMethod: (method: string) =>
    refusal(405, 'PGRST117', `Unsupported HTTP method: ${method}`),
  orderNotToOne: (origin: string, target: string) =>
    refusal(400, 'PGRST118', `A related order on '${target}' is not possible`, {
      details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
    }),
  invalidRaise: (details: string, hint: string) =>
    refusal(500, 'PGRST121', `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`, {
      details,
      hint,
    }),
  invalidPreferences: (preferences: string[]) =>
    refusal(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${preferences.join(', ')}`,
    }),
  aggregatesOff: () => refusal(400, 'PGRST123', 'Use of aggregate functions is not allowed'),
  tooManyAffected: (rows: number) =>
    refusal(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects ${rows} rows`,
    }),
  invalidPath: () => refusal(404, 'PGRST125', 'Invalid path specified in request URL'),
  descriptionOff: () => refusal(404, 'PGRST126', 'Root endpoint metadata is disabled'),
  notImplemented: (details: string) =>
    refusal(400, 'PGRST127', 'Feature not implemented', { details }),
  maxAffectedNeedsRows: () =>
    refusal(
      400,
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    ),

  embeddedTwice: (name: string) =>
    refusal(400, '42712', `table name "${name}" specified more than once`),
  noFilter: (kind: 'update' | 'delete') =>
    refusal(400, '21000', `${kind.toUpperCase()} requires a WHERE clause`),

  noRelationship: (texts: { message: string; details: string; hint: string | null }) =>
    refusal(400, 'PGRST200', texts.message, texts),
  ambiguousRelationship: (message: string, details: unknown, hint: string) =>
    new ServiceError({
      status: 300,
      code: 'PGRST201',
      message,
      hint,
      // The client expects a list here, where every other error has a string.
      extra: { details },
      headers: proxyStatus('PGRST201'),
    }),
  noFunction: (texts: { message: string; details: string; hint: string | null }) =>
    refusal(404, 'PGRST202', texts.message, texts),
  ambiguousFunction: (signatures: string[]) =>
    refusal(
      300,
      'PGRST203',
      `Could not choose the best candidate function between: ${signatures.join(', ')}`,
      {
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      },
    ),
  noColumn: (table: string, column: string) =>
    refusal(
      400,
      'PGRST204',
      `Could not find the '${column}' column of '${table}' in the schema cache`,
    ),
  noTable: (schema: string, table: string, suggestion: string | null) =>
    refusal(404, 'PGRST205', `Could not find the table '${schema}.${table}' in the schema cache`, {
      hint: suggestion && `Perhaps you meant the table '${schema}.${suggestion}'`,
    }),
}

/** Whether the database let the caller's token do nothing at all: its session has ended, or owes a second factor. */
export function isSessionRefused(error: unknown): boolean {
  return error instanceof ServiceError && ['PT401', 'PT403'].includes(error.code)
}
