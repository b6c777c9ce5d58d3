import type { ValueIndex } from './request-types.ts'

/** Numbers the parameters of one statement. A value used twice is one parameter. */
export class StatementParameters {
  /** For each `$n`, the place of its value in the request. */
  readonly order: ValueIndex[] = []

  /** The text that stands for a value: `$3`. */
  for(value: ValueIndex): string {
    const known = this.order.indexOf(value)
    return `$${known >= 0 ? known + 1 : this.order.push(value)}`
  }
}
