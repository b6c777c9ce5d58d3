/** A clock that tests can replace. `now()` is in milliseconds since the epoch. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }
