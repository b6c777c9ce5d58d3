/** A fixed-window counter. */
export type RateWindow = { startedAt: number; count: number }

export function newRateWindow(): RateWindow {
  return { startedAt: -Infinity, count: 0 }
}

type Rate = { limit: number; windowMs: number }

/** Adds `amount`; false when the window's count exceeds `limit`. */
export function countWithin(
  window: RateWindow,
  now: number,
  { limit, windowMs }: Rate,
  amount = 1,
): boolean {
  if (now - window.startedAt >= windowMs) {
    window.startedAt = now
    window.count = 0
  }
  window.count += amount
  return window.count <= limit
}

/** The same for many callers. They share one window, so that nothing is kept for longer than it. */
export function createRateLimit({
  limit,
  windowMs,
}: Rate): (caller: string, amount?: number) => boolean {
  const counts = new Map<string, number>()
  let startedAt = -Infinity
  return (caller, amount = 1) => {
    const now = performance.now()
    if (now - startedAt >= windowMs) {
      startedAt = now
      counts.clear()
    }
    // What is taken back may have been counted in the window before.
    const count = Math.max(0, (counts.get(caller) ?? 0) + amount)
    counts.set(caller, count)
    return count <= limit
  }
}
