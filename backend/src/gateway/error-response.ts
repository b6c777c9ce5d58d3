// Formats errors the way each service's official client expects. The cause is only logged.
import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '#http/service-error.ts'
import {
  NO_ROOM,
  ResponseTooLargeError,
  unavailabilityOf,
  type Unavailability,
} from '#postgres/errors.ts'
import type { ServiceKind } from './services.ts'

type Body = Record<string, unknown>

/** From this API version on, GoTrue returns its error code in `code`. auth-js sends the version it supports. */
const AUTH_ERROR_CODES_VERSION = '2024-01-01'

const bodies: Record<ServiceKind, (error: ServiceError, apiVersion: string) => Body> = {
  rest: ({ code, details, hint, message, extra }) => ({ code, details, hint, message, ...extra }),
  auth: ({ status, code, message, extra }, apiVersion) =>
    apiVersion >= AUTH_ERROR_CODES_VERSION
      ? { code, message, ...extra }
      : { code: status, error_code: code, msg: message, ...extra },
  storage: ({ status, code, message, extra }) => ({
    statusCode: String(status),
    error: code,
    message,
    ...extra,
  }),
  realtime: ({ code, message }) => ({ code, message }),
  functions: ({ code, message }) => ({ code, message }),
}

const unexpectedErrors: Record<ServiceKind, () => ServiceError> = {
  rest: () => new ServiceError({ status: 500, code: 'PGRSTX00', message: 'Internal server error' }),
  auth: () =>
    new ServiceError({ status: 500, code: 'unexpected_failure', message: 'Internal Server Error' }),
  storage: () =>
    new ServiceError({ status: 500, code: 'InternalError', message: 'Internal server error' }),
  realtime: () =>
    new ServiceError({ status: 500, code: 'InternalError', message: 'Internal server error' }),
  functions: () =>
    new ServiceError({ status: 500, code: 'InternalError', message: 'Internal server error' }),
}

/** Each service's code and message for a lost connection, a busy database or one whose disk is full. */
const unavailable: Record<ServiceKind, Record<Unavailability, [code: string, message: string]>> = {
  rest: {
    lost: ['PGRST001', 'Database client error. Retrying the connection.'],
    busy: ['PGRST003', 'Timed out acquiring connection from connection pool.'],
    full: ['53100', NO_ROOM],
  },
  auth: sameForAll(
    'request_timeout',
    'Processing this request timed out, please retry after a moment.',
  ),
  storage: {
    lost: ['DatabaseTimeout', 'The connection to the database timed out'],
    busy: ['SlowDown', 'Please reduce your request rate'],
    full: ['InsufficientStorage', NO_ROOM],
  },
  realtime: sameForAll(
    'UnableToConnectToProject',
    'Realtime was unable to connect to the project database',
  ),
  functions: sameForAll('ServiceUnavailable', 'The database is out of reach. Try again later.'),
}

function sameForAll(code: string, message: string): Record<Unavailability, [string, string]> {
  return { lost: [code, message], busy: [code, message], full: [code, NO_ROOM] }
}

const RETRY_AFTER_SECONDS = '1'
const BODILESS = new Set([204, 205, 304])

/** The response to a request that failed with `error`, which can be anything thrown. */
export function errorResponse(
  kind: ServiceKind,
  error: unknown,
  requestHeaders: IncomingHttpHeaders,
): Response {
  const known = error instanceof ServiceError ? error : asServiceError(kind, error)
  const headers = new Headers({
    ...(kind === 'rest' ? { 'content-type': 'application/json; charset=utf-8' } : {}),
    ...(known.status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS } : {}),
    // auth-js reads `code` only if the response states its API version.
    ...(kind === 'auth' ? { 'x-supabase-api-version': AUTH_ERROR_CODES_VERSION } : {}),
  })
  for (const [name, value] of Object.entries(known.headers)) headers.set(name, value)
  const apiVersion = String(requestHeaders['x-supabase-api-version'] ?? '')
  const { status } = known
  // A function may raise a status that has no body.
  if (BODILESS.has(status)) return new Response(null, { status, headers })
  return Response.json(bodies[kind](known, apiVersion), { status, headers })
}

function asServiceError(kind: ServiceKind, error: unknown): ServiceError {
  const unavailability = unavailabilityOf(error)
  if (unavailability) {
    const [code, message] = unavailable[kind][unavailability]
    // storage-js reads the code from `code`; `error` is for older clients.
    const extra = kind === 'storage' ? { code } : {}
    return new ServiceError({ status: 503, code, message, extra })
  }
  if (error instanceof ResponseTooLargeError) {
    // 54000 is Postgres' program_limit_exceeded.
    return new ServiceError({ status: 400, code: '54000', message: 'The response is too large' })
  }
  return unexpectedErrors[kind]()
}
