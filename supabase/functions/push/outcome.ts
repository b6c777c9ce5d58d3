import type { Outcome } from './delivery.ts'

/**
 * Network failures before a byte of the request was sent. After any other, the provider may have the notification, and
 * sending it again could show it twice.
 */
const NEVER_SENT = new Set([
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
  const isUnsent = codes.some((code) => NEVER_SENT.has(code)) || isDenoConnectError(error)
  return isUnsent ? { outcome: 'retry', reason } : { outcome: 'uncertain', reason }
}

/** The parts of an answer that mean the same everywhere; `null` where the provider's own words decide. */
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

/** `Retry-After` in seconds: it comes as a number or as a date. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (!header) return null
  if (/^\d+$/.test(header.trim())) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000))
}

function describe(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'no answer in time'
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

// Deno has no codes on fetch errors; its words for a connection that never came about are these.
function isDenoConnectError(error: unknown): boolean {
  return /error trying to connect|tcp connect error|dns error/i.test(describe(error))
}
