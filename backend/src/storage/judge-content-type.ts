import { storageErrors } from './errors.ts'
import { sniffContentType } from './sniff-content-type.ts'

const UNKNOWN = 'application/octet-stream'
/** Text that browsers may run or that can carry what runs. */
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
/** Kinds that `sniffContentType` always recognises: bytes it does not recognise are not one of them. */
const RECOGNISED = /^(image\/(?!svg)|application\/(pdf|zip|gzip)$|video\/|audio\/)/
/** Office files and the like are zip archives with a name of their own. */
const ZIP_BASED =
  /^application\/(vnd\.openxmlformats|vnd\.oasis\.opendocument|epub\+zip|x-zip|java-archive|vnd\.android)/
const OGG_BASED = /^(audio|video)\/(ogg|opus)$/

/**
 * The type a file is kept and served under. Bytes decide; what the client declared only refines what bytes leave open
 * (which kind of text, which kind of archive).
 */
export function judgeContentType(declared: string | null, head: Uint8Array): string {
  const claimed = essence(declared)
  const found = head.byteLength === 0 ? null : sniffContentType(head)
  if (found === null)
    return !claimed || ACTIVE.has(claimed) || RECOGNISED.test(claimed) ? UNKNOWN : claimed
  if (found === 'application/zip' && ZIP_BASED.test(claimed)) return claimed
  if (found === 'application/ogg' && OGG_BASED.test(claimed)) return claimed
  if (found === 'video/mp4' && claimed === 'audio/mp4') return claimed
  if (found === 'video/webm' && /^(audio\/webm|(video|audio)\/(x-)?matroska)$/.test(claimed))
    return claimed
  if (found !== 'text/plain') return found
  return isHarmlessText(claimed) && declared ? declared.trim() : 'text/plain'
}

/** @throws InvalidMimeType when a bucket takes certain types only and this is none of them. */
export function assertAllowedType(type: string, allowed: readonly string[] | null): void {
  if (!allowed?.length) return
  const wanted = essence(type)
  const family = `${wanted.split('/')[0]}/*`
  const taken = allowed.some((each) => ['*/*', family, wanted].includes(each.trim().toLowerCase()))
  if (!taken) throw storageErrors.invalidMimeType(type)
}

/** Whether an upload says what it is; the general type says nothing, so that bytes alone decide. */
export function isDeclared(type: string | null): type is string {
  return type !== null && ![UNKNOWN, ''].includes(essence(type))
}

export function isActive(type: string): boolean {
  return ACTIVE.has(essence(type)) || /\+xml$/.test(essence(type))
}

/** A content type without its parameters, in lower case; empty for what is no content type. */
export function essence(type: string | null): string {
  const found = /^\s*([\w.+-]+\/[\w.+*-]+)\s*(;[\x20-\x7e]*)?$/.exec(type ?? '')?.[1]
  return found?.toLowerCase() ?? ''
}

function isHarmlessText(claimed: string): boolean {
  if (!claimed || isActive(claimed)) return false
  return (
    claimed.startsWith('text/') ||
    /^application\/(json|[\w.-]+\+json|rtf|yaml|x-ndjson)$/.test(claimed)
  )
}
