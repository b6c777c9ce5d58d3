import { storageErrors } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { assertBucketName, assertObjectName } from '../names.ts'
import { parseUserMetadata } from '../upload-metadata.ts'

export type UploadMetadata = {
  bucket: string
  name: string
  declaredType: string | null
  cacheControl: string
  userMetadata: Record<string, unknown>
  /** The header itself. */
  text: string
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Reads `Upload-Metadata`: pairs of a key and a base64 value.
 * @throws InvalidRequest, InvalidBucketName, InvalidKey
 */
export function parseUploadMetadata(text: string): UploadMetadata {
  if (text.length > LIMITS.resumableMetadataBytes) throw invalid('is too long')
  const values = new Map<string, string>()
  for (const pair of text.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ')
    if (!key || more.length > 0 || values.has(key)) throw invalid('is not a list of pairs')
    values.set(key, decode(value))
  }
  const bucket = values.get('bucketName') ?? ''
  const name = values.get('objectName') ?? ''
  assertBucketName(bucket)
  assertObjectName(name)
  const seconds = values.get('cacheControl') ?? ''
  return {
    bucket,
    name,
    declaredType: values.get('contentType') ?? null,
    // As on hosted, where an upload that can be resumed has another default than the others.
    cacheControl: /^\d{1,9}$/.test(seconds) ? `max-age=${seconds}` : 'no-cache',
    userMetadata: parseUserMetadata(values.get('metadata') ?? null),
    text,
  }
}

function decode(value: string): string {
  if (!BASE64.test(value)) throw invalid('has a value that is not base64')
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'base64'))
    // Postgres stores no null character.
    if (!decoded.includes('\0')) return decoded
  } catch {
    // Falls through to the error.
  }
  throw invalid('has a value that is not text')
}

const invalid = (what: string) => storageErrors.invalidRequest(`Upload-Metadata ${what}`)
