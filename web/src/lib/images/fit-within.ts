export type Size = { width: number; height: number }

/** The largest proportional size that fits; never larger than the image itself, never cropped. */
export function fitWithin({ width, height }: Size, longestSide: number): Size {
  const share = Math.min(longestSide / Math.max(width, height), 1)
  return {
    width: Math.max(Math.round(width * share), 1),
    height: Math.max(Math.round(height * share), 1),
  }
}
