// Maps Postgres errors to responses as PostgREST does: the SQLSTATE is the code and determines the status.
import { ServiceError } from '#http/service-error.ts'
import { unavailabilityOf } from '#postgres/errors.ts'
import { RESPONSE_TOO_LARGE, proxyStatus, restErrors } from '#rest/errors.ts'
import type { ReadNode } from '#rest/plan/plan-types.ts'
import { raisedError } from './raised-error.ts'

type PostgresError = {
  code: string
  message: string
  detail?: string
  hint?: string
  /** The context, if the error occurred inside a function. */
  where?: string
  /** The C function in Postgres that raised it. */
  routine?: string
}

/** Raised by `rest.refuse_if` (platform SQL): the result is rejected. */
const REFUSED = 'REST0'
/** The transition function of the aggregate `rest.answer_bytes` (platform SQL). */
const SUM_OF_BYTES = 'int84pl'
/** Raised by project functions that define the whole response. */
const RAISED = 'PGRST'

/** @param root the resource that the statement reads, if known: messages then name its tables */
export function toRestError(error: unknown, role: string, root: ReadNode | null): unknown {
  if (error instanceof ServiceError) return error
  if (!isPostgresError(error)) {
    return isConnectionError(error) ? restErrors.connectionLost(error) : error
  }
  if (error.code === REFUSED) return refusal(error)
  if (unavailabilityOf(error) === 'full') return restErrors.noRoom(error)
  if (error.code === RAISED) return raisedError(error.message, error.detail)
  if (error.code === '22003' && error.routine === SUM_OF_BYTES) return restErrors.responseTooLarge()
  const status = statusOf(error, role !== 'anon')
  return new ServiceError({
    status,
    code: error.code,
    message:
      root && error.where === undefined ? withTableNames(error.message, root) : error.message,
    details: detailsFor(role, error),
    hint: isAboutServer(error) ? null : (error.hint ?? null),
    headers: {
      ...proxyStatus(error.code),
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    },
  })
}

/** Replaces the statement's own aliases: `column t0.year must appear …`. */
function withTableNames(message: string, root: ReadNode): string {
  const names = new Map<string, string>()
  const collect = (node: ReadNode) => {
    names.set(node.alias, node.table.name)
    for (const embed of node.embeds) {
      names.set(embed.alias, embed.node.table.name)
      collect(embed.node)
    }
  }
  collect(root)
  return message.replace(
    /^column ("?)([te]\d+)\./,
    (_, quote: string, alias: string) => `column ${quote}${names.get(alias) ?? alias}.`,
  )
}

/** Resources, shutdown, the system: details and hints are for operators, not for members. */
function isAboutServer({ code }: PostgresError): boolean {
  return /^(53|54|57|58|XX)/.test(code)
}

/** Constraint violations whose detail shows the whole row. */
const SHOWS_ROW = ['23502', '23514', '23P01']

/**
 * A detail may contain values of a row. For the caller's own statement, Postgres omits what the caller must not read. For
 * a statement inside a function, the function owner's privileges count instead, so the detail is hidden. A detail that a
 * function raises itself is intended for the caller.
 */
function detailsFor(role: string, error: PostgresError): string | null {
  const { code, detail, where, routine } = error
  if (detail === undefined || isAboutServer(error)) return null
  const isIntended = role === 'service_role' || routine === 'exec_stmt_raise'
  if (isIntended || (where === undefined && !SHOWS_ROW.includes(code))) return detail
  return null
}

function refusal({ message, detail }: PostgresError): ServiceError {
  const rows = Number(detail)
  if (message === RESPONSE_TOO_LARGE) return restErrors.responseTooLarge()
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
  // statement_too_complex: caused by the request, such as a deeply nested body or a complex pattern.
  '54001': 400,
  // Postgres is shutting down, has crashed, or is still starting.
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
  // The token's role does not exist in the database.
  if (code === '22023') return /^role .* does not exist$/.test(message) ? 401 : 400
  if (code === '21000') return message.endsWith('requires a WHERE clause') ? 400 : 500
  // The view is not updatable: method not allowed. PostgREST would return 500.
  if (code === '55000' && /^cannot .* view "/.test(message)) return 405
  if (code.startsWith('PT')) return customStatus(code.slice(2))
  return BY_CODE[code] ?? BY_CLASS[code.slice(0, 2)] ?? 400
}

/** `raise sqlstate 'PT402'` sets status 402. */
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
