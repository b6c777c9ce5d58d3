import type { ValueIndex } from './request-types.ts'

/** Collects the values of a query string; plans contain only their indexes. */
export class ValueList {
  readonly values: string[] = []
  /** For each value, the length of its longest element. */
  readonly longest: number[] = []

  add(value: string): ValueIndex {
    this.longest.push(value.length)
    return this.values.push(value) - 1
  }

  /** Adds a list as one value, an array literal. */
  addList(elements: readonly string[]): ValueIndex {
    this.longest.push(elements.reduce((most, { length }) => Math.max(most, length), 0))
    return this.values.push(arrayLiteral(elements)) - 1
  }
}

/** A Postgres array literal with every element quoted. */
function arrayLiteral(elements: readonly string[]): string {
  const quoted = elements.map((element) => `"${element.replace(/[\\"]/gu, '\\$&')}"`)
  return `{${quoted.join(',')}}`
}
