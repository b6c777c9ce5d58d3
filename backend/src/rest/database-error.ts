// What Postgres refused, as the reply that PostgREST's users know: the SQLSTATE is the code and decides the status.
import { ServiceError } from '#http/service-error.ts'
import { restErrors } from './errors.ts'
import { raisedReply } from './raised-reply.ts'

type PostgresError = { code: string; message: string; detail?: string; hint?: string }

/** Raised by `rest.refuse_if` (platform SQL): the result must not stand. */
const REFUSED = 'REST0'
/** Raised by functions of the project that shape the whole reply themselves. */
const RAISED = 'PGRST'

/** @param signedIn whether the caller may do more by signing in */
export function toRestError(error: unknown, signedIn: boolean): unknown {
  if (error instanceof ServiceError) return error
  if (!isPostgresError(error)) {
    return isConnectionError(error) ? restErrors.connectionLost(error) : error
  }
  if (error.code === REFUSED) return refusal(error)
  if (error.code === RAISED) return raisedReply(error.message, error.detail)
  const status = statusOf(error, signedIn)
  return new ServiceError({
    status,
    code: error.code,
    message: error.message,
    details: error.detail ?? null,
    hint: error.hint ?? null,
    headers: {
      'proxy-status': `PostgREST; error=${error.code}`,
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    },
  })
}

function refusal({ message, detail }: PostgresError): ServiceError {
  const rows = Number(detail)
  if (message === 'PGRST115') return restErrors.putKeyMismatch()
  return message === 'PGRST124' ? restErrors.tooManyAffected(rows) : restErrors.notSingular(rows)
}

const BY_CODE: Record<string, number> = {
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  // A body nested too deeply or a pattern too wild: the request's fault, whatever the class says.
  '54001': 400,
  // Postgres is being stopped, came down, or is not up yet.
  '57P01': 503,
  '57P02': 503,
  '57P03': 503,
  P0001: 400,
}
const BY_CLASS: Record<string, number> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
}

function statusOf({ code, message }: PostgresError, signedIn: boolean): number {
  if (code === '42501') return signedIn ? 403 : 401
  // A token may name a role that the database does not have.
  if (code === '22023') return /^role .* does not exist$/.test(message) ? 401 : 400
  if (code === '21000') return message.endsWith('requires a WHERE clause') ? 400 : 500
  // A view that nothing can be written through does not know the method; PostgREST would answer 500.
  if (code === '55000' && /^cannot .* view "/.test(message)) return 405
  if (code.startsWith('PT')) return customStatus(code.slice(2))
  return BY_CODE[code] ?? BY_CLASS[code.slice(0, 2)] ?? 400
}

/** `raise sqlstate 'PT402'` answers with status 402. */
function customStatus(text: string): number {
  const status = Number(text)
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : 500
}

function isPostgresError(error: unknown): error is PostgresError {
  return (
    error instanceof Error &&
    'severity' in error &&
    'code' in error &&
    typeof error.code === 'string'
  )
}

const NETWORK_ERRORS = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT']

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    NETWORK_ERRORS.includes(code) ||
    /^(Connection terminated|Client has encountered a connection error)/.test(error.message)
  )
}
