export type Size = { width: number; height: number }

/** The largest size of the same proportions that fits; never larger than the picture itself, and never cropped. */
export function fitWithin({ width, height }: Size, longestSide: number): Size {
  const share = Math.min(longestSide / Math.max(width, height), 1)
  return {
    width: Math.max(Math.round(width * share), 1),
    height: Math.max(Math.round(height * share), 1),
  }
}
