/** What the database asks for at most, with some room. */
const LONGEST_MS = 30_000

/**
 * Does something for each of several names, some random part of a given time later, so that thousands of devices that hear of a
 * change at the same moment do not ask at the same moment. A name that waits already is not done twice.
 */
export function createSpread(work: (name: string) => void, random: () => number = Math.random) {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()

  function run(name: string) {
    waiting.delete(name)
    work(name)
  }

  return {
    /** @param spread in milliseconds, as it was received: without one, at once */
    later(name: string, spread: unknown) {
      const longest = typeof spread === 'number' && spread > 0 ? Math.min(spread, LONGEST_MS) : 0
      if (longest === 0) return work(name)
      if (waiting.has(name)) return
      const timer = setTimeout(() => run(name), random() * longest)
      waiting.set(name, timer)
    },
    /** Forgets what waits. */
    end() {
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
