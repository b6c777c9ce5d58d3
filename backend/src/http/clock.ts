/** Where the time comes from, so that tests can move it. `now()` is in milliseconds since the epoch. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }
