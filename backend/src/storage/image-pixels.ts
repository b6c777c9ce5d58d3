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

/** What a JPEG tells before its size: camera data, thumbnails, colour profiles. */
const HEAD_BYTES = 512 * 1024

/**
 * A picture of 16,000 × 16,000 pixels of one colour is a file of 700 KB and takes a gigabyte in every browser that shows it.
 * @throws InvalidRequest for one of more than `LIMITS.imagePixels`, and for a JPEG that hides its size
 */
export async function assertImageSize(staged: StagedUpload, type: string): Promise<void> {
  if (!MEASURED.has(type)) return
  const size = sizeIn(staged.head) ?? sizeIn(await headOf(staged))
  if (size && size.width * size.height > LIMITS.imagePixels)
    throw storageErrors.invalidRequest('The image has too many pixels')
  // Without a size at their beginning, the others are no picture.
  if (!size && type === 'image/jpeg')
    throw storageErrors.invalidRequest('The size of the image cannot be read')
}

function sizeIn(head: Uint8Array): { width: number; height: number } | undefined {
  try {
    return imageSize(head)
  } catch {
    return undefined
  }
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
