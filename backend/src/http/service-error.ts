type ServiceErrorFields = {
  /** HTTP status of the response. */
  status: number
  /** The service's own code, listed in docs/error-codes.md. */
  code: string
  /** Shown to the caller. */
  message: string
  details?: string | null
  hint?: string | null
  /** Additional fields of the error body that the service's client expects. */
  extra?: Record<string, unknown>
  headers?: Record<string, string>
  /** The underlying error; logged, never sent to the caller. */
  cause?: unknown
}

/** The only error a service throws on purpose. The gateway formats it for the service's client. */
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
