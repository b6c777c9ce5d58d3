import type { BuiltQuery } from './build-sql.ts'
import type { Plan } from './plan-types.ts'

/** What is kept for all requests of one shape. */
export type PreparedPlan = {
  plan: Plan
  contentType: string
  sql: BuiltQuery
  /** The name of the prepared statement. */
  name: string
  /** True once the statement ran: only then is it worth a name, and safe to share by pipelined requests. */
  proven: boolean
}

/** The most shapes remembered; a stranger who makes up new ones only drives out his own. */
const MAX_SHAPES = 1_000

/** Shapes in use stay: of two generations, the old one is dropped when the young one is full. */
export class PlanCache {
  private young = new Map<string, PreparedPlan>()
  private old = new Map<string, PreparedPlan>()
  private version = 0

  get(shape: string, version: number): PreparedPlan | undefined {
    if (version !== this.version) this.clear(version)
    const found = this.young.get(shape)
    if (found) return found
    const older = this.old.get(shape)
    if (older) this.put(shape, older)
    return older
  }

  put(shape: string, prepared: PreparedPlan): void {
    if (this.young.size >= MAX_SHAPES / 2) {
      this.old = this.young
      this.young = new Map()
    }
    this.young.set(shape, prepared)
  }

  private clear(version: number) {
    this.version = version
    this.young.clear()
    this.old.clear()
  }
}
