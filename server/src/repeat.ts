import type { Logger } from 'pino'

/** Runs at once and then again and again until closed. A failure is logged, and the next run tries again. */
export function repeat(
  work: () => Promise<void>,
  { everyMs, what, log }: { everyMs: number; what: string; log: Logger },
) {
  const run = () =>
    work().catch((error: unknown) => log.error({ err: error }, `${what} failed; retrying later`))
  let running = run()
  const timer = setInterval(() => {
    running = run()
  }, everyMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}
