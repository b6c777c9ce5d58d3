// Security headers of stored files. They share the app's origin, so none may run as a page: no content sniffing, no
// scripts, and anything that could be active is sent as a download.
import { isActive, essence } from './resolve-content-type.ts'

const INLINE =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|tiff|x-icon|heic|heif)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/pdf)$/

export type FileHeaders = {
  type: string
  /** The value of `?download=…`; empty for the stored name. */
  download: string | null
  /** The object's name, the default for downloads. */
  fileName: string
}

/** Type, disposition and security headers of a file. */
export function safeHeaders({ type, download, fileName }: FileHeaders): Record<string, string> {
  const servedType = essence(type) === 'text/html' ? 'text/plain;charset=utf-8' : type
  const isInline = download === null && INLINE.test(essence(type)) && !isActive(type)
  return {
    'content-type': servedType || 'application/octet-stream',
    'content-disposition': isInline ? 'inline' : attachment(download || fileName),
    // Chrome's viewer opens no PDF in a sandbox; it has one of its own, and runs a PDF's scripts apart from the origin.
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'${essence(type) === 'application/pdf' ? '' : '; sandbox'}`,
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'none',
    'cross-origin-resource-policy': 'cross-origin',
  }
}

// Quotes and control characters would break the header's value; `filename*` has the exact name (RFC 6266).
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_').slice(0, 200)
  const exact = encodeURIComponent(wellFormed(name)).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

/** Replaces half a surrogate pair, which truncation can leave and `encodeURIComponent` rejects. */
function wellFormed(name: string): string {
  return Buffer.from(name.slice(0, 200), 'utf8').toString('utf8')
}
