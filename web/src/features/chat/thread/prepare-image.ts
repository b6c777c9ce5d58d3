import { m } from '#lib/messages/messages.js'

export type PickedImage = { file: Blob; width: number; height: number; extension: string }

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
}
/** As the bucket has it. */
const LIMIT_BYTES = 10 * 1024 * 1024
/** Enough for a full screen; a phone's camera makes far more. */
const LONGEST_SIDE_PX = 2048
const JPEG_QUALITY = 0.85

/** Reads an image's size and makes it fit to send. Animated images stay as they are. */
export async function prepareImage(file: File): Promise<PickedImage> {
  const extension = EXTENSIONS[file.type]
  if (!extension) throw new Error(m.chat_attachment_only_images())
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(m.chat_attachment_only_images())
  })
  const { width, height } = bitmap
  const isSmallEnough = Math.max(width, height) <= LONGEST_SIDE_PX && file.size < LIMIT_BYTES / 10
  if (isSmallEnough || file.type === 'image/gif') {
    if (file.size > LIMIT_BYTES) throw new Error(m.chat_attachment_too_large())
    return { file, width, height, extension }
  }
  return shrink(bitmap)
}

async function shrink(bitmap: ImageBitmap): Promise<PickedImage> {
  const scale = Math.min(1, LONGEST_SIDE_PX / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const file = await new Promise<Blob | null>((done) =>
    canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY),
  )
  if (!file) throw new Error(m.chat_attachment_only_images())
  return { file, width: canvas.width, height: canvas.height, extension: 'jpg' }
}
