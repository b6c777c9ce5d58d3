import { storageErrors } from './errors.ts'

const OBJECT_NAME = /^[A-Za-z0-9_/!.*'() &$=@;:+,?-]{1,1024}$/
const BUCKET_NAME = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/

/**
 * Refuses names that other S3-like stores could not hold, or that mean another place to whoever resolves them.
 * No name is ever part of a path on this machine: bytes lie under random version ids.
 */
export function assertObjectName(name: string): void {
  const segments = name.split('/')
  if (!OBJECT_NAME.test(name) || segments.includes('') || segments.some(isDots))
    throw storageErrors.invalidKey(name.slice(0, 200))
}

/** @throws InvalidBucketName */
export function assertBucketName(name: string): void {
  if (!BUCKET_NAME.test(name) || name.trim() !== name || isDots(name))
    throw storageErrors.invalidBucketName()
}

/** `bucket/folder/file.png`, still percent-encoded, as its two parts. */
export function splitAddress(encoded: string): { bucket: string; name: string } {
  const slash = encoded.indexOf('/')
  if (slash < 0) return { bucket: decode(encoded), name: '' }
  return { bucket: decode(encoded.slice(0, slash)), name: decode(encoded.slice(slash + 1)) }
}

/** An object's address, checked. */
export function objectAddress(encoded: string): { bucket: string; name: string } {
  const address = splitAddress(encoded)
  assertBucketName(address.bucket)
  assertObjectName(address.name)
  return address
}

function isDots(segment: string): boolean {
  return segment === '.' || segment === '..'
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw storageErrors.invalidKey(encoded.slice(0, 200))
  }
}
