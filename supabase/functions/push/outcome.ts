import type { Outcome } from './delivery.ts'

/**
 * Errors that occur before the request is sent. After any other one the provider may have accepted the notification, so
 * a retry could show it twice.
 */
const NOT_SENT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_HTTP2_REFUSED',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])

/** What a failed request means for the delivery. */
export function outcomeOfFailure(error: unknown): Outcome {
  const reason = describe(error)
  const codes = causes(error).map((cause) => (cause as { code?: string }).code ?? '')
  const isUnsent = codes.some((code) => NOT_SENT_CODES.has(code)) || isDenoConnectError(error)
  return isUnsent ? { outcome: 'retry', reason } : { outcome: 'uncertain', reason }
}

/** Handles the statuses that mean the same everywhere; `null` when the provider's own error code decides. */
export function outcomeOfStatus(
  status: number,
  retryAfter: string | null,
  now: number,
  text: string,
): Outcome | null {
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  if (status === 429 || status >= 500) {
    const seconds = parseRetryAfter(retryAfter, now)
    const reason = `${status} ${text}`.trim().slice(0, 300)
    return {
      outcome: 'retry',
      reason,
      ...(seconds === null ? {} : { retry_after_seconds: seconds }),
    }
  }
  return null
}

/** `Retry-After`, a number or a date, in seconds. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (!header) return null
  if (/^\d+$/.test(header.trim())) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000))
}

function describe(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'no response in time'
  return causes(error)
    .map((cause) => (cause instanceof Error ? cause.message : String(cause)))
    .join(': ')
    .slice(0, 300)
}

function causes(error: unknown): unknown[] {
  const found: unknown[] = []
  for (let next = error; next && found.length < 5; next = (next as { cause?: unknown }).cause)
    found.push(next)
  return found
}

// Deno's fetch errors have no codes, so connect errors are recognized by their message.
function isDenoConnectError(error: unknown): boolean {
  return /error trying to connect|tcp connect error|dns error/i.test(describe(error))
}
