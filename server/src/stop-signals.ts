export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Ctrl-C reaches a program twice: from the terminal, and from the program that started it. */
const SAME_SIGNAL_MS = 1_000
/** After the second signal everything has to be over by then. */
const HURRY_MS = 10_000

/**
 * The first signal ends the process in order, the second at once.
 * @param stop the signal it gets says that there is no more time
 * @returns whether the first one has come
 */
export function onStopSignal(
  stop: (hurry: AbortSignal) => Promise<void>,
  signals: readonly NodeJS.Signals[],
): () => boolean {
  const hurry = new AbortController()
  let firstAt: number | null = null

  function receive() {
    const now = performance.now()
    if (firstAt === null) {
      firstAt = now
      stop(hurry.signal).then(
        () => process.exit(0),
        (error: unknown) => {
          console.error('Could not stop in order:', error)
          process.exit(1)
        },
      )
    } else if (now - firstAt > SAME_SIGNAL_MS && !hurry.signal.aborted) {
      hurry.abort()
      setTimeout(() => process.exit(1), HURRY_MS).unref()
    }
  }

  for (const signal of signals) process.on(signal, receive)
  return () => firstAt !== null
}
