import { storageErrors } from './errors.ts'
import { OLE, sniffContentType } from './sniff-content-type.ts'

const UNKNOWN = 'application/octet-stream'
/** Text types that can contain script. */
const ACTIVE = new Set([
  'text/html',
  'image/svg+xml',
  'application/xml',
  'text/xml',
  'application/xhtml+xml',
  'text/xsl',
  'application/javascript',
  'text/javascript',
])
const OLE_BASED = /^application\/(msword|vnd\.ms-(excel|powerpoint))$/
/** Types that `sniffContentType` always recognizes: unrecognized bytes cannot be one of them. */
const RECOGNIZED =
  /^(image\/(?!svg)|application\/(pdf|zip|gzip|msword|vnd\.ms-(excel|powerpoint))$|application\/vnd\.(openxmlformats|oasis\.opendocument)|video\/|audio\/)/
/** Types based on zip, such as Office files. */
const ZIP_BASED =
  /^application\/(vnd\.openxmlformats|vnd\.oasis\.opendocument|epub\+zip|x-zip|java-archive|vnd\.android)/
const OGG_BASED = /^(audio|video)\/(ogg|opus)$/

/**
 * The type a file is stored and served with. The bytes decide; the declared type only refines what they leave open, such
 * as the kind of text or archive.
 */
export function resolveContentType(declared: string | null, head: Uint8Array): string {
  const claimed = essence(declared)
  const found = head.byteLength === 0 ? null : sniffContentType(head)
  if (found === null)
    return !claimed || ACTIVE.has(claimed) || RECOGNIZED.test(claimed) ? UNKNOWN : claimed
  if (found === 'application/zip' && ZIP_BASED.test(claimed)) return claimed
  if (found === OLE && OLE_BASED.test(claimed)) return claimed
  if (found === 'application/ogg' && OGG_BASED.test(claimed)) return claimed
  if (found === 'video/mp4' && claimed === 'audio/mp4') return claimed
  if (found === 'video/webm' && /^(audio\/webm|(video|audio)\/(x-)?matroska)$/.test(claimed))
    return claimed
  if (found !== 'text/plain') return found
  return isInertText(claimed) && declared ? declared.trim() : 'text/plain'
}

/** @throws InvalidMimeType when the bucket does not allow the type */
export function assertAllowedType(type: string, allowed: readonly string[] | null): void {
  if (!allowed?.length) return
  const wanted = essence(type)
  const family = `${wanted.split('/')[0]}/*`
  const taken = allowed.some((each) => ['*/*', family, wanted].includes(each.trim().toLowerCase()))
  if (!taken) throw storageErrors.invalidMimeType(type)
}

/** Whether an upload declares a type; the generic one does not count. */
export function isDeclared(type: string | null): type is string {
  return type !== null && ![UNKNOWN, ''].includes(essence(type))
}

export function isActive(type: string): boolean {
  return ACTIVE.has(essence(type)) || essence(type).endsWith('+xml')
}

/** A content type without its parameters, in lower case; '' if malformed. */
export function essence(type: string | null): string {
  const found = /^\s*([\w.+-]+\/[\w.+*-]+)\s*(;[\x20-\x7e]*)?$/.exec(type ?? '')?.[1]
  return found?.toLowerCase() ?? ''
}

function isInertText(claimed: string): boolean {
  if (!claimed || isActive(claimed)) return false
  return (
    claimed.startsWith('text/') ||
    /^application\/(json|[\w.-]+\+json|rtf|yaml|x-ndjson)$/.test(claimed)
  )
}
