import type { Logger } from 'pino'
import { ServiceError } from '#http/service-error.ts'
import { unavailabilityOf } from '#postgres/errors.ts'

/** Logs why a request was not served as asked, as loudly as the operator should hear it. */
export function logFailure(log: Logger, error: unknown) {
  const unavailability = unavailabilityOf(error)
  // Refusals for load are frequent, and their stacks say nothing.
  if (unavailability === 'busy') log.warn('refused: too many requests for the database')
  else if (unavailability === 'full') log.error({ err: error }, 'the disk of the database is full')
  else if (unavailability) log.warn({ err: error }, 'the database is unavailable')
  else if (!(error instanceof ServiceError)) log.error({ err: error }, 'unexpected failure')
  else if (error.cause) log.debug({ err: error }, 'refused')
}
