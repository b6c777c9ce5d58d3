import type { ValueIndex } from '#rest/request/request-types.ts'

/** Numbers the parameters of a statement. A value used twice is one parameter. */
export class StatementParameters {
  /** For each `$n`, the index of its value in the request. */
  readonly order: ValueIndex[] = []

  /** The placeholder of a value: `$3`. */
  for(value: ValueIndex): string {
    const known = this.order.indexOf(value)
    return `$${known >= 0 ? known + 1 : this.order.push(value)}`
  }
}
