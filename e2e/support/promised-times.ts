/** How long the product promises that something takes, as what an expectation waits for. */
export function within(ms: number): { timeout: number } {
  return { timeout: process.env.PROMISED_TIMES ? ms : ms * PATIENCE }
}

/** Marks a journey whose times `npm run bench -- promised-times` takes at their word, with the machine to itself. */
export const PROMISED = { tag: '@promised' }

/** In the gate two journeys, two servers and their databases share the machine: there it counts that it comes at all. */
const PATIENCE = 10
