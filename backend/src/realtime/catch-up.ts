// What was announced while the connection that hears announcements was lost is announced to nobody, but it can still be
// read. It is tried until it is read, and once more if the connection was lost again meanwhile.

const RETRY_MS = 500

export type CatchUp = {
  /** Nothing was heard after this moment, in ms since 1970. */
  missedSince(ms: number): void
  stop(): void
}

/** `read` brings everything since a moment; told twice is told once. */
export function createCatchUp(
  read: (sinceMs: number) => Promise<void>,
  onError: (error: unknown) => void,
): CatchUp {
  let since: number | null = null
  let breaks = 0
  let isRunning = false
  let isStopped = false

  async function run() {
    isRunning = true
    while (since !== null && !isStopped) {
      const breaksBefore = breaks
      try {
        await read(since)
        if (breaks === breaksBefore) since = null
      } catch (error) {
        onError(error)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    isRunning = false
  }

  return {
    missedSince(ms) {
      breaks++
      since = Math.min(since ?? ms, ms)
      if (!isRunning) void run()
    },
    stop() {
      isStopped = true
    },
  }
}
