import { isJsonObject, type JsonObject } from '#http/parse-json.ts'
import { parseStorableJson } from '#http/storable-json.ts'
import { storageErrors } from './errors.ts'

const DEFAULT_CACHE_CONTROL = 'max-age=3600'

/** The `Cache-Control` of an upload: a number of seconds, as forms send it, or the header itself. */
export function cacheControlFrom(asked: string | null): string {
  const text = asked?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return `max-age=${text}`
  return /^[a-z0-9=, -]{1,200}$/i.test(text) ? text : DEFAULT_CACHE_CONTROL
}

/** @throws InvalidRequest when custom metadata is not a JSON object */
export function parseUserMetadata(text: string | null): JsonObject {
  if (text === null) return {}
  try {
    const parsed = parseStorableJson(text)
    if (isJsonObject(parsed)) return parsed
  } catch {
    // Falls through to the error.
  }
  throw storageErrors.invalidRequest('The metadata must be a JSON object')
}

export function fromBase64(text: string | null): string | null {
  return text === null ? null : Buffer.from(text, 'base64').toString('utf8')
}

// Compressed content cannot be sniffed: the browser would decompress it to something else.
export function rejectEncoding(encoding: string | null): void {
  if (encoding && encoding.toLowerCase() !== 'identity')
    throw storageErrors.notSupported('Content-Encoding')
}
