type ServiceErrorFields = {
  /** HTTP status of the reply. */
  status: number
  /** The service's own code, listed in docs/error-codes.md. */
  code: string
  /** What the caller may read. */
  message: string
  details?: string | null
  hint?: string | null
  /** Further members of the error body, where the service's client expects some. */
  extra?: Record<string, unknown>
  headers?: Record<string, string>
  /** What really happened; goes to the log, never to the reply. */
  cause?: unknown
}

/** The only error a service throws on purpose. The gateway turns it into the body that the service's client expects. */
export class ServiceError extends Error {
  readonly status: number
  readonly code: string
  readonly details: string | null
  readonly hint: string | null
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(fields: ServiceErrorFields) {
    super(fields.message, { cause: fields.cause })
    this.name = 'ServiceError'
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details ?? null
    this.hint = fields.hint ?? null
    this.extra = fields.extra ?? {}
    this.headers = fields.headers ?? {}
  }
}
