// Failures between this process and Postgres, as opposed to errors that Postgres itself returns.

/** No connection became free in time, or the queue is full. */
export class DatabaseBusyError extends Error {
  override name = 'DatabaseBusyError'
}

/** The connection broke before the response was complete, so a write may or may not have been committed. */
export class ConnectionLostError extends Error {
  override name = 'ConnectionLostError'
}

/** Postgres announced a response larger than `LIMITS.responseBytes`. */
export class ResponseTooLargeError extends Error {
  override name = 'ResponseTooLargeError'
}

/** The client disconnected before it had the response. */
export class RequestAbortedError extends Error {
  override name = 'RequestAbortedError'
}

export type Unavailability = 'busy' | 'lost' | 'full'

const NETWORK_ERRORS = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'ENOTFOUND']
/** too_many_connections; shutdown, crash, cannot_connect_now; and the connection exceptions of class 08. */
const SQLSTATES = /^(53300|57P0[1-5]|08...)$/
/** What a caller reads when the disk is full: Postgres would name its files. */
export const NO_ROOM = 'The server has no room left. Ask its operator to make room.'
/** disk_full: what was written before stays, and writing works again once there is room. */
const DISK_FULL = '53100'
// pg gives these no code.
const CONNECTION_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired)/

/** Why `error` is temporary and the request worth retrying; null if it is not. */
export function unavailabilityOf(error: unknown): Unavailability | null {
  if (error instanceof DatabaseBusyError) return 'busy'
  if (error instanceof ConnectionLostError) return 'lost'
  if (!(error instanceof Error)) return null
  if (error.message.startsWith('timeout exceeded when trying to connect')) return 'busy'
  const code = 'code' in error ? String(error.code) : ''
  const isFromPostgres = 'severity' in error
  if (code === DISK_FULL) return 'full'
  if (isFromPostgres) return SQLSTATES.test(code) ? (code === '53300' ? 'busy' : 'lost') : null
  const isFromNetwork = NETWORK_ERRORS.includes(code) && 'syscall' in error
  return isFromNetwork || CONNECTION_MESSAGES.test(error.message) ? 'lost' : null
}
