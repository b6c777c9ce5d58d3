const GENERATIONS = 3

/** Deduplicates ids in bounded memory: each is kept for at least `keepMs` after the last id before it. */
export function createRecentIds(
  keepMs: number,
  now: () => number = () => performance.now(),
): { isNew(id: string): boolean } {
  let generations = [new Set<string>()]
  let turnedAt = now()
  return {
    isNew(id) {
      if (now() - turnedAt >= keepMs) {
        generations = [new Set<string>(), ...generations.slice(0, GENERATIONS - 1)]
        turnedAt = now()
      }
      if (generations.some((known) => known.has(id))) return false
      generations[0]?.add(id)
      return true
    },
  }
}
