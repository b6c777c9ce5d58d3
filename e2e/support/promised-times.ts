/** The longest time the product promises for something, as an expectation's timeout. */
export function within(ms: number): { timeout: number } {
  return { timeout: process.env.PROMISED_TIMES ? ms : ms * PATIENCE }
}

/**
 * Marks a journey whose times `npm run bench -- promised-times` measures strictly, with the machine to
 * itself.
 */
export const PROMISED = { tag: '@promised' }

/** In the gate two journeys, two servers and their databases share the machine, so the times are relaxed. */
const PATIENCE = 10
