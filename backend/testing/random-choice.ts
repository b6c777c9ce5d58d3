/** @returns a generator of numbers in [0, 1), deterministic by seed (mulberry32) */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Random choices, deterministic by seed. */
export class RandomChoice {
  private readonly random: () => number

  constructor(seed: number) {
    this.random = randomNumbers(seed)
  }

  /** In [0, 1). */
  number(): number {
    return this.random()
  }

  /** From 0 to below `below`. */
  count(below: number): number {
    return Math.floor(this.random() * below)
  }

  chance(probability: number): boolean {
    return this.random() < probability
  }

  one<T>(list: readonly T[]): T {
    return list[this.count(list.length)] as T
  }

  /** Undefined for an empty list. */
  maybe<T>(list: readonly T[]): T | undefined {
    return list[this.count(list.length)]
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, place: this.random() }))
      .sort((one, other) => one.place - other.place)
      .map(({ item }) => item)
  }

  /** Calls `make` once to `most` times. */
  times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: 1 + this.count(most) }, make)
  }
}
