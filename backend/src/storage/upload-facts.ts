import { storageErrors } from './errors.ts'

const DEFAULT_CACHE_CONTROL = 'max-age=3600'

/** The `Cache-Control` an upload asks for: a number of seconds, as forms send it, or the header itself. */
export function cacheControlFrom(asked: string | null): string {
  const text = asked?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return `max-age=${text}`
  return /^[a-z0-9=, -]{1,200}$/i.test(text) ? text : DEFAULT_CACHE_CONTROL
}

/** @throws InvalidRequest when custom metadata is no JSON object. */
export function parseUserMetadata(text: string | null): Record<string, unknown> {
  if (text === null) return {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {
    // Falls through to the refusal.
  }
  throw storageErrors.invalidRequest('The metadata must be a JSON object')
}

export function fromBase64(text: string | null): string | null {
  return text === null ? null : Buffer.from(text, 'base64').toString('utf8')
}

// Compressed bytes would be unpacked by the browser after we looked at them, so they could be anything.
export function refuseEncoding(encoding: string | null): void {
  if (encoding && encoding.toLowerCase() !== 'identity')
    throw storageErrors.notSupported('Content-Encoding')
}
