// Notifications sent while the listening connection is down are lost, but their messages can still be read. Retries until
// the read succeeds, and reads again if the connection was lost in the meantime.

const RETRY_MS = 500

export type CatchUp = {
  /** Nothing was received after this time, in ms since 1970. */
  missedSince(ms: number): void
  stop(): void
}

/** `read` delivers everything since a time; it may deliver a message twice. */
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
