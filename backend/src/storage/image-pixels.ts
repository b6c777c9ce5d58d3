import { open } from 'node:fs/promises'
import { disableTypes, imageSize, types } from 'image-size'
import { storageErrors } from './errors.ts'
import { LIMITS } from './limits.ts'
import type { StagedUpload } from './staged-upload.ts'

/** What buckets take and browsers show, by content type; the library's other parsers stay off. */
const MEASURED = new Map([
  ['image/gif', 'gif'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
])
disableTypes(types.filter((type) => ![...MEASURED.values()].includes(type)))

/** What a JPEG tells before its size, or a GIF before its first frame: camera data, thumbnails, colour profiles, comments. */
const HEAD_BYTES = 512 * 1024

/**
 * A picture of 16,000 × 16,000 pixels of one colour is a file of 700 KB and takes a gigabyte in every browser that shows it.
 * @throws InvalidRequest for one of more than `LIMITS.imagePixels`, and for a JPEG or GIF that hides its size
 */
export async function assertImageSize(staged: StagedUpload, type: string): Promise<void> {
  if (!MEASURED.has(type)) return
  const isWhole = staged.size <= HEAD_BYTES
  const size = sizeIn(staged.head, false) ?? sizeIn(await headOf(staged), isWhole)
  if (size && size.width * size.height > LIMITS.imagePixels)
    throw storageErrors.invalidRequest('The image has too many pixels')
  // Without a size at their beginning, the others are no picture.
  const mayHideSize = type === 'image/jpeg' || (type === 'image/gif' && !isWhole)
  if (!size && mayHideSize)
    throw storageErrors.invalidRequest('The size of the image cannot be read')
}

type Size = { width: number; height: number }

/** @param isWhole nothing of the file follows */
function sizeIn(head: Uint8Array, isWhole: boolean): Size | undefined {
  try {
    const size = imageSize(head)
    return size.type === 'gif' ? gifCanvas(head, size, isWhole) : size
  } catch {
    return undefined
  }
}

/**
 * Browsers enlarge a GIF's screen to its first frame; later frames are cut to it. Undefined if that may still follow.
 * https://www.w3.org/Graphics/GIF/spec-gif89a.txt, sections 18, 20 and 24
 */
function gifCanvas(gif: Uint8Array, screen: Size, isWhole: boolean): Size | undefined {
  const at = firstFrameOf(gif)
  if (at === undefined || at + 9 > gif.length) return isWhole ? screen : undefined
  const { buffer, byteOffset, byteLength } = gif
  const bytes = new DataView(buffer, byteOffset, byteLength)
  const right = bytes.getUint16(at + 1, true) + bytes.getUint16(at + 5, true)
  const bottom = bytes.getUint16(at + 3, true) + bytes.getUint16(at + 7, true)
  return { width: Math.max(screen.width, right), height: Math.max(screen.height, bottom) }
}

/** Where the first image descriptor is; undefined if not in these bytes. */
function firstFrameOf(gif: Uint8Array): number | undefined {
  const flags = gif[10] ?? 0
  const colorTableBytes = flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
  let at = 13 + colorTableBytes
  // Extensions: an introducer, a label, and blocks that each begin with their length, up to an empty one.
  while (gif[at] === 0x21) {
    at += 2
    for (let length = gif[at]; length; length = gif[at]) at += length + 1
    at++
  }
  return gif[at] === 0x2c ? at : undefined
}

async function headOf({ path, size }: StagedUpload): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES))
    await file.read(head, 0, head.length, 0)
    return head
  } finally {
    await file.close()
  }
}
