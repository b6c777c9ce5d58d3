/** Counts what happens within a window of time. */
export type RateWindow = { startedAt: number; count: number }

export function newRateWindow(): RateWindow {
  return { startedAt: -Infinity, count: 0 }
}

/** Counts one more; false when that is more than `limit` within `windowMs`. */
export function countWithin(
  window: RateWindow,
  now: number,
  { limit, windowMs }: { limit: number; windowMs: number },
): boolean {
  if (now - window.startedAt >= windowMs) {
    window.startedAt = now
    window.count = 0
  }
  window.count++
  return window.count <= limit
}
