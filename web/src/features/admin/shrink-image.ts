import { fitWithin } from './fit-within.ts'

/** Sharp on a phone of three pixels per point, and a tenth of what a camera makes. */
const LONGEST_SIDE = 1600
const QUALITY = 0.85

/**
 * Redraws a picture at a sensible size. What is drawn is only a picture: a script in an SVG or a place in a photo's
 * data does not come along. Moving pictures would stand still, so GIFs stay what they are.
 */
export async function shrinkImage(file: File): Promise<Blob> {
  if (file.type === 'image/gif') return file
  const address = URL.createObjectURL(file)
  try {
    const picture = new Image()
    picture.src = address
    await picture.decode()
    const { width, height } = fitWithin(
      { width: picture.naturalWidth || 800, height: picture.naturalHeight || 800 },
      LONGEST_SIDE,
    )
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width, height })
    canvas.getContext('2d')?.drawImage(picture, 0, 0, width, height)
    // Browsers that cannot write WebP answer with a PNG by themselves.
    const blob = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, 'image/webp', QUALITY),
    )
    if (!blob) throw new Error('The canvas gave no picture')
    return blob
  } finally {
    URL.revokeObjectURL(address)
  }
}
