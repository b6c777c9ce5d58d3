// What every stored file is sent with. The files share the app's origin, so none may run as a page of ours:
// no guessing of types, no scripts, and whatever could be active is handed over as a download.
import { isActive, essence } from './judge-content-type.ts'

const SHOWN =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|tiff|x-icon|heic|heif)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain)$/

export type SentFile = {
  type: string
  /** Asked for with `?download=…`: empty for the stored name. */
  download: string | null
  /** The object's own name, for downloads without another. */
  fileName: string
}

/** Type, disposition and protection headers of one file. */
export function safeHeaders({ type, download, fileName }: SentFile): Record<string, string> {
  const shownType = essence(type) === 'text/html' ? 'text/plain;charset=utf-8' : type
  const isShown = download === null && SHOWN.test(essence(type)) && !isActive(type)
  return {
    'content-type': shownType || 'application/octet-stream',
    'content-disposition': isShown ? 'inline' : attachment(download || fileName),
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'none',
    'cross-origin-resource-policy': 'cross-origin',
  }
}

// Quotes and controls would end the header's value early; the second form carries the name exactly.
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_').slice(0, 200)
  const exact = encodeURIComponent(wellFormed(name)).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

/** Half a surrogate pair, which a cut can leave, has no encoding. */
function wellFormed(name: string): string {
  return Buffer.from(name.slice(0, 200), 'utf8').toString('utf8')
}
