// Runs what notifications ask for in the order in which they were committed. A member's write may be committed before it is on
// disk (postgres/shared-flush.ts): what it published waits until it is, and everything committed later waits behind it.
import type { Flush } from '#postgres/shared-flush.ts'

type Published = {
  isDurable: boolean
  run(): void
  /** Instead of `run`, when nobody knows whether the write reached the disk. */
  onLost?(): void
}

export type DurableOrder = (published: Published) => void

export function createDurableOrder(
  takeFlush: () => Flush | null,
  onError: (error: unknown) => void,
): DurableOrder {
  let last: Promise<void> | null = null
  // Opens the connection, which the first write would otherwise do without.
  takeFlush()

  async function isFlushed(): Promise<boolean> {
    try {
      const flush = takeFlush()
      await flush?.()
      return flush !== null
    } catch (error) {
      onError(error)
      return false
    }
  }

  // What fails must not hold up what follows.
  function attempt(work: () => void) {
    try {
      work()
    } catch (error) {
      onError(error)
    }
  }

  return ({ isDurable, run, onLost = run }) => {
    if (isDurable && !last) return run()
    const turn = Promise.all([isDurable || isFlushed(), last]).then(([isOnDisk]) => {
      attempt(isOnDisk ? run : onLost)
      if (last === turn) last = null
    })
    last = turn
  }
}
