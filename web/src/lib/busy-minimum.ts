/** A busy state shows at least this long, so that a quick answer does not look like a flicker. */
export const BUSY_MINIMUM_MS = 3000

declare global {
  // Browser tests set this before the page loads, so that a journey need not wait for each form.
  var busyMinimumMs: number | undefined
}

/**
 * Waits for the work and for the minimum, whichever is longer: after success and after a refusal alike.
 * Work that throws ends the busy state at once.
 */
export async function withMinimumBusyTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const minimum = globalThis.busyMinimumMs ?? BUSY_MINIMUM_MS
  const [result] = await Promise.all([
    work(),
    new Promise((resolve) => setTimeout(resolve, minimum)),
  ])
  return result
}
