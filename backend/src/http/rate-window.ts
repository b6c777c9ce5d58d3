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

/** Adds `amount`; false when the caller's count exceeds the limit. */
export type RateLimit = ((caller: string, amount?: number) => boolean) & {
  /** Whether `amount` would not exceed it. */
  hasRoom(caller: string, amount: number): boolean
}

/** The same for many callers. They share one window, so that nothing is kept for longer than it. */
export function createRateLimit({ limit, windowMs }: Rate): RateLimit {
  const counts = new Map<string, number>()
  let startedAt = -Infinity

  function countOf(caller: string): number {
    const now = performance.now()
    if (now - startedAt >= windowMs) {
      startedAt = now
      counts.clear()
    }
    return counts.get(caller) ?? 0
  }

  function add(caller: string, amount = 1): boolean {
    const count = countOf(caller) + amount
    counts.set(caller, count)
    return count <= limit
  }

  return Object.assign(add, {
    hasRoom: (caller: string, amount: number) => countOf(caller) + amount <= limit,
  })
}
