// Strips everything from an image file that is not needed to display it: position, camera, comments, thumbnails of the
// uncropped image. For animations, which must not be redrawn. An allow list: only known chunks are kept.

export type StrippableType = 'image/gif' | 'image/webp' | 'image/png'
type Bytes = Uint8Array<ArrayBuffer>

const PNG_SIGNATURE = 8
const PNG_KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
)
const WEBP_KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** Flags in the first byte of VP8X: EXIF and XMP present. */
const WEBP_METADATA_FLAGS = 0x0c
/** The two application extensions that hold a GIF's loop count. */
const GIF_LOOPS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])

/** @throws RangeError when the file is truncated or of another type */
export function stripMetadata(bytes: Bytes, type: StrippableType): Blob {
  const parts = { 'image/gif': gifParts, 'image/webp': webpParts, 'image/png': pngParts }[type]
  return new Blob(parts(bytes), { type })
}

/** Whether the file has more than one frame. The type is sniffed from the first bytes; the name is ignored. */
export function animatedType(bytes: Bytes): StrippableType | null {
  const head = textAt(bytes, 0, 16)
  if (head.startsWith('GIF8')) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBPVP8X')
    return ((bytes[20] ?? 0) & 0x02) !== 0 ? 'image/webp' : null
  if (head.slice(1, 4) === 'PNG')
    return pngChunks(bytes).some(({ name }) => name === 'acTL') ? 'image/png' : null
  return null
}

function pngParts(bytes: Bytes): Bytes[] {
  const kept = pngChunks(bytes).filter(({ name }) => PNG_KEPT.has(name))
  return [slice(bytes, 0, PNG_SIGNATURE), ...kept.map(({ start, end }) => slice(bytes, start, end))]
}

function pngChunks(bytes: Bytes) {
  const chunks: { name: string; start: number; end: number }[] = []
  let start = PNG_SIGNATURE
  while (chunks.at(-1)?.name !== 'IEND') {
    // Length, name, data, checksum.
    const end = start + 12 + viewOf(bytes).getUint32(start)
    if (end > bytes.length) throw new RangeError('The PNG ends early')
    chunks.push({ name: textAt(bytes, start + 4, 4), start, end })
    start = end
  }
  return chunks
}

function webpParts(bytes: Bytes): Bytes[] {
  const kept: Bytes[] = []
  let start = 12
  while (start < bytes.length) {
    const size = viewOf(bytes).getUint32(start + 4, true)
    // Chunks are padded to even offsets.
    const end = start + 8 + size + (size % 2)
    if (start + 8 + size > bytes.length) throw new RangeError('The WebP ends early')
    const name = textAt(bytes, start, 4)
    if (WEBP_KEPT.has(name)) {
      const chunk = bytes.slice(start, end)
      if (name === 'VP8X') chunk[8] = (chunk[8] ?? 0) & ~WEBP_METADATA_FLAGS
      kept.push(chunk)
    }
    start = end
  }
  const header = bytes.slice(0, 12)
  const length = kept.reduce((sum, chunk) => sum + chunk.length, 4)
  viewOf(header).setUint32(4, length, true)
  return [header, ...kept]
}

function gifParts(bytes: Bytes): Bytes[] {
  const view = viewOf(bytes)
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let place = 13 + tableBytes(view.getUint8(10))
  const parts = [slice(bytes, 0, place)]
  for (;;) {
    const start = place
    const kind = view.getUint8(place)
    if (kind === 0x3b) return [...parts, slice(bytes, place, place + 1)]
    if (kind === 0x2c) {
      const data = place + 10 + tableBytes(view.getUint8(place + 9)) + 1
      place = afterSubBlocks(view, data)
      parts.push(slice(bytes, start, place))
    } else if (kind === 0x21) {
      const label = view.getUint8(place + 1)
      const isLoop = label === 0xff && GIF_LOOPS.has(textAt(bytes, place + 3, 11))
      place = afterSubBlocks(view, place + 2)
      // Timing and transparency of the next frame, and the loop count. Comments, text and XMP are dropped.
      if (label === 0xf9 || isLoop) parts.push(slice(bytes, start, place))
    } else throw new RangeError('The GIF holds an unknown block')
  }
}

function afterSubBlocks(view: DataView, start: number): number {
  let place = start
  for (let size = view.getUint8(place); size > 0; size = view.getUint8(place)) place += size + 1
  return place + 1
}

const viewOf = (bytes: Bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function slice(bytes: Bytes, start: number, end: number): Bytes {
  if (end > bytes.length) throw new RangeError('The file ends early')
  return bytes.subarray(start, end)
}

const textAt = (bytes: Bytes, start: number, length: number) =>
  String.fromCharCode(...bytes.subarray(start, start + length))
