import { m } from '#lib/messages/messages.js'
import { fitWithin } from './fit-within.ts'
import { animatedType, stripMetadata } from './strip-metadata.ts'

export type PreparedImage = { file: Blob; width: number; height: number; extension: string }

type Wanted = {
  longestSide: number
  /** Output format of still images. Browsers that cannot encode it fall back to PNG. */
  type: 'image/jpeg' | 'image/webp'
}

/** The buckets' own limit. */
const LIMIT_BYTES = 10 * 1024 * 1024
const QUALITY = 0.85
const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
}

/**
 * Prepares an image for upload. Only pixels leave the device: a still image is redrawn, upright and at a sensible size;
 * an animated one keeps its frames and loses its metadata, such as the GPS position.
 * @throws Error with a message for the member if the file is not an image, cannot be decoded, or is too large
 */
export async function prepareImage(file: File, wanted: Wanted): Promise<PreparedImage> {
  if (!file.type.startsWith('image/')) throw new Error(m.ui_image_only())
  // It can contain scripts, and a screenshot shows just as much.
  if (file.type.startsWith('image/svg')) throw new Error(m.ui_image_svg())
  const bitmap = await readable(() => createImageBitmap(file, { imageOrientation: 'from-image' }))
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const moving = await readable(() => animatedType(bytes))
    const prepared = moving
      ? { ...sizeOf(bitmap), file: await readable(() => stripMetadata(bytes, moving)) }
      : await redraw(bitmap, wanted)
    if (prepared.file.size > LIMIT_BYTES) throw new Error(m.ui_image_too_large())
    return { ...prepared, extension: EXTENSIONS[prepared.file.type] ?? 'img' }
  } finally {
    bitmap.close()
  }
}

async function redraw(bitmap: ImageBitmap, { longestSide, type }: Wanted) {
  const size = fitWithin(bitmap, longestSide)
  const canvas = Object.assign(document.createElement('canvas'), size)
  const pen = canvas.getContext('2d')
  if (pen && type === 'image/jpeg') {
    // JPEG has no transparency; without a background it would turn black.
    pen.fillStyle = 'white'
    pen.fillRect(0, 0, size.width, size.height)
  }
  pen?.drawImage(bitmap, 0, 0, size.width, size.height)
  const file = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, QUALITY))
  if (!file) throw new Error(m.ui_image_unreadable())
  return { ...size, file }
}

const sizeOf = ({ width, height }: ImageBitmap) => ({ width, height })

/** Browsers decode different formats: iPhone photos (HEIC) open in Safari only. */
async function readable<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    throw new Error(m.ui_image_unreadable(), { cause })
  }
}
