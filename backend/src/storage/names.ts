import { storageErrors } from './errors.ts'
import { LIMITS } from './limits.ts'

const OBJECT_NAME = /^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$/
const BUCKET_NAME = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/

/**
 * Rejects names that S3-compatible stores do not allow, or that could resolve to another path. Names are never part of a
 * local path: files are stored under random version ids.
 */
export function assertObjectName(name: string): void {
  const segments = name.split('/')
  if (
    name.length > LIMITS.nameLength ||
    !OBJECT_NAME.test(name) ||
    segments.includes('') ||
    segments.some(isDotSegment)
  )
    throw storageErrors.invalidKey(name.slice(0, 200))
}

/** @throws InvalidBucketName */
export function assertBucketName(name: string): void {
  if (!BUCKET_NAME.test(name) || name.trim() !== name || isDotSegment(name))
    throw storageErrors.invalidBucketName()
}

/** Splits a percent-encoded `bucket/folder/file.png` and decodes its parts. */
export function splitAddress(encoded: string): { bucket: string; name: string } {
  const slash = encoded.indexOf('/')
  if (slash < 0) return { bucket: decode(encoded), name: '' }
  return { bucket: decode(encoded.slice(0, slash)), name: decode(encoded.slice(slash + 1)) }
}

/** Parses and validates an object's address. @throws InvalidBucketName, InvalidKey */
export function objectAddress(encoded: string): { bucket: string; name: string } {
  const address = splitAddress(encoded)
  assertBucketName(address.bucket)
  assertObjectName(address.name)
  return address
}

function isDotSegment(segment: string): boolean {
  return segment === '.' || segment === '..'
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw storageErrors.invalidKey(encoded.slice(0, 200))
  }
}
