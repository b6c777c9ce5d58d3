/** Those of realtime-js. */
const LONGEST_MS = [1_000, 2_000, 5_000, 10_000] as const

/**
 * How long the live connection waits before its next try. Up to half of it is left to chance: when a server crashes, the phones of
 * a large team would otherwise all knock in the same moment, again and again.
 */
export function reconnectAfterMs(tries: number): number {
  const longest = LONGEST_MS[tries - 1] ?? LONGEST_MS[3]
  return longest * (1 - Math.random() / 2)
}
