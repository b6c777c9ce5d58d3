/**
 * Runs in the page: the share of two images (base64, WebP or PNG) that differs, 0 to 1. Compares blocks of 8
 * × 8 pixels, in which slightly different letters average out and a missing part does not.
 */
export async function differingShare(pictures: {
  kept: string
  now: string
  varies: string | undefined
}): Promise<number> {
  const CELL_PX = 8
  /** Of 255, in any channel. */
  const SEEN_FROM = 32
  const [kept, now] = await Promise.all([decoded(pictures.kept), decoded(pictures.now)])
  if (kept.width !== now.width || kept.height !== now.height) return 1
  const [keptCells, nowCells] = [cellsOf(kept), cellsOf(now)]
  const columns = Math.ceil(kept.width / CELL_PX)
  const skipped =
    pictures.varies && document.querySelector(pictures.varies)?.getBoundingClientRect()
  let differing = 0
  for (let at = 0; at < keptCells.length; at += 4) {
    if (isSkipped((at / 4) % columns, Math.floor(at / 4 / columns))) continue
    const channels = [0, 1, 2].map((channel) =>
      Math.abs((keptCells[at + channel] ?? 0) - (nowCells[at + channel] ?? 0)),
    )
    if (Math.max(...channels) >= SEEN_FROM) differing++
  }
  return differing / (keptCells.length / 4)

  function isSkipped(column: number, row: number): boolean {
    if (!skipped) return false
    const [x, y] = [(column + 0.5) * CELL_PX, (row + 0.5) * CELL_PX]
    return x > skipped.left && x < skipped.right && y > skipped.top && y < skipped.bottom
  }

  async function decoded(base64: string): Promise<ImageBitmap> {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return createImageBitmap(new Blob([bytes]))
  }

  function cellsOf(picture: ImageBitmap): Uint8ClampedArray {
    const width = Math.ceil(picture.width / CELL_PX)
    const height = Math.ceil(picture.height / CELL_PX)
    const context = new OffscreenCanvas(width, height).getContext('2d')
    if (!context) throw new Error('No canvas')
    context.imageSmoothingQuality = 'high'
    context.drawImage(picture, 0, 0, width, height)
    return context.getImageData(0, 0, width, height).data
  }
}

/** Runs in the page: a PNG as WebP, both base64. */
export async function toWebp(png: string): Promise<string> {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0))
  const picture = await createImageBitmap(new Blob([bytes]))
  const canvas = new OffscreenCanvas(picture.width, picture.height)
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  const webp = await canvas.convertToBlob({ type: 'image/webp', quality: 0.62 })
  const characters = Array.from(new Uint8Array(await webp.arrayBuffer()), (byte) =>
    String.fromCharCode(byte),
  )
  return btoa(characters.join(''))
}
