// Detects a file's type from its first bytes. Browsers sniff too, so the declared type cannot be trusted.

/** How many bytes `sniffContentType` needs, if the file has as many. */
export const SNIFFED_BYTES = 4096

/** The container of old Office files. */
export const OLE = 'application/x-ole-storage'

type Magic = { type: string; bytes: readonly number[]; at?: number }

const ascii = (text: string) => [...Buffer.from(text, 'latin1')]

const MAGIC: readonly Magic[] = [
  { type: 'image/png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', bytes: ascii('GIF87a') },
  { type: 'image/gif', bytes: ascii('GIF89a') },
  { type: 'image/tiff', bytes: ascii('II*\0') },
  { type: 'image/tiff', bytes: ascii('MM\0*') },
  { type: 'image/x-icon', bytes: [0, 0, 1, 0] },
  { type: 'application/pdf', bytes: ascii('%PDF-') },
  { type: 'application/zip', bytes: ascii('PK\x03\x04') },
  { type: 'application/zip', bytes: ascii('PK\x05\x06') },
  // Word, Excel and PowerPoint before 2007.
  { type: OLE, bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] },
  { type: 'application/gzip', bytes: [0x1f, 0x8b] },
  { type: 'application/x-7z-compressed', bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { type: 'application/vnd.rar', bytes: ascii('Rar!\x1a\x07') },
  { type: 'application/ogg', bytes: ascii('OggS') },
  { type: 'audio/mpeg', bytes: ascii('ID3') },
  { type: 'audio/flac', bytes: ascii('fLaC') },
  { type: 'video/webm', bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  { type: 'font/woff', bytes: ascii('wOFF') },
  { type: 'font/woff2', bytes: ascii('wOF2') },
  { type: 'application/x-msdownload', bytes: ascii('MZ') },
  { type: 'application/x-elf', bytes: ascii('\x7fELF') },
]
/** By the form type of a RIFF file, and the brand of an ISO media file. */
const RIFF: Record<string, string> = {
  WEBP: 'image/webp',
  WAVE: 'audio/wav',
  'AVI ': 'video/x-msvideo',
}
const BRANDS: Record<string, string> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  mif1: 'image/heif',
  'M4A ': 'audio/mp4',
  'qt  ': 'video/quicktime',
}

/** `null` for unknown bytes; `text/plain` for text of no active type. */
export function sniffContentType(head: Uint8Array): string | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, SNIFFED_BYTES))
  const word = (at: number) => bytes.toString('latin1', at, at + 4)
  if (word(0) === 'RIFF' && RIFF[word(8)]) return RIFF[word(8)] ?? null
  if (word(4) === 'ftyp') return BRANDS[word(8)] ?? 'video/mp4'
  if (isBitmap(bytes)) return 'image/bmp'
  const magic = MAGIC.find(({ bytes: wanted, at = 0 }) =>
    wanted.every((byte, index) => bytes[at + index] === byte),
  )
  if (magic) return magic.type
  if (isMpegAudio(bytes)) return 'audio/mpeg'
  const text = asText(bytes)
  return text === null ? null : textType(text)
}

// Ordinary words start with "BM" too; a bitmap also has reserved zeros.
function isBitmap(bytes: Buffer): boolean {
  return (
    bytes.length >= 14 && bytes.toString('latin1', 0, 2) === 'BM' && bytes.readUInt32LE(6) === 0
  )
}

function isMpegAudio(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes
  return first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) === 0x02
}

/** The bytes decoded as text, or `null` for binary content. */
function asText(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2)
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le')
  const hasControls = bytes.some(
    (byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte),
  )
  return hasControls ? null : bytes.toString('utf8').replace(/^\ufeff/, '')
}

const PROLOG = /^(\s+|<!--[^]*?-->|<\?[^]*?\?>|<!doctype\s+(?!html)[^>[]*(\[[^]*?\]\s*)?>)+/i
const HTML =
  /^<(!doctype\s+html|html|head|body|script|iframe|style|title|meta|link|base|object|embed|form|div|p|a|b|br|h1|table|img|font)([\s>/]|$)/i

// Text is markup if it starts like markup, after skipping comments and the like. Anything else that starts with "<" is
// treated as XML, whose stylesheets can run script; so a comment longer than the sniffed bytes hides nothing.
function textType(text: string): string {
  const root = text.replace(PROLOG, '')
  if (/^<([\w.-]+:)?svg([\s>/]|$)/i.test(root)) return 'image/svg+xml'
  if (HTML.test(root)) return 'text/html'
  return root.startsWith('<') || /^\s*<[?!]/.test(text) ? 'application/xml' : 'text/plain'
}
