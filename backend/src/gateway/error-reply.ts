// Turns errors into the body that each service's official client expects. The cause goes to the log alone.
import { ServiceError } from '#http/service-error.ts'
import type { ServiceKind } from './services.ts'

type Body = Record<string, unknown>

/** From this API version on, GoTrue says its error code in `code` (auth-js sends the version it speaks). */
const AUTH_ERROR_CODES_VERSION = '2024-01-01'

const bodies: Record<ServiceKind, (error: ServiceError, request: Request) => Body> = {
  rest: ({ code, details, hint, message, extra }) => ({ code, details, hint, message, ...extra }),
  auth: ({ status, code, message, extra }, request) =>
    (request.headers.get('x-supabase-api-version') ?? '') >= AUTH_ERROR_CODES_VERSION
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

const unknownErrors: Record<ServiceKind, () => ServiceError> = {
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

/** The reply to a request that failed with `error`, whatever was thrown. */
export function errorReply(kind: ServiceKind, error: unknown, request: Request): Response {
  const known = error instanceof ServiceError ? error : unknownErrors[kind]()
  return Response.json(bodies[kind](known, request), {
    status: known.status,
    // auth-js reads `code` only from an answer that names the version it is in.
    headers:
      kind === 'auth'
        ? { ...known.headers, 'x-supabase-api-version': AUTH_ERROR_CODES_VERSION }
        : known.headers,
  })
}
