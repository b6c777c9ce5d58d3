import type { ValueIndex } from './request-types.ts'

/** Collects what a request compares with; plans only know the places. */
export class ValueList {
  readonly values: (string | null)[] = []

  add(value: string | null): ValueIndex {
    return this.values.push(value) - 1
  }
}

/** A list as Postgres reads an array, every element quoted. */
export function arrayLiteral(elements: readonly string[]): string {
  const quoted = elements.map((element) => `"${element.replace(/[\\"]/gu, '\\$&')}"`)
  return `{${quoted.join(',')}}`
}
