import { storageErrors } from './errors.ts'

const UNITS = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 }

/** Parses a bucket's size limit: bytes, or a string such as `1mb`. `null` means no limit of its own. */
export function parseFileSize(size: number | string | null): number | null {
  if (size === null) return null
  if (typeof size === 'number') return size
  const match = /^(\d+(?:\.\d+)?)(b|kb|mb|gb)?$/i.exec(size)
  if (!match)
    throw storageErrors.invalidRequest(
      'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B',
    )
  const unit = (match[2] ?? 'b').toLowerCase() as keyof typeof UNITS
  return Math.round(Number(match[1]) * UNITS[unit])
}
