import type { Plan } from '#rest/plan/plan-types.ts'
import type { BuiltStatement } from '#rest/query/build-sql.ts'
import type { ShortValue } from '#rest/query/short-values.ts'
import type { Table } from '#rest/schema-cache/schema-types.ts'
import { LIMITS } from './limits.ts'

/** Cached for all requests of one shape. */
export type PreparedPlan = {
  plan: Plan
  sql: BuiltStatement
  /** Name of the prepared statement. */
  name: string
  shortValues: ShortValue[]
  /** The root table and those of its embeds; empty without embeds. */
  tables: Table[]
  /** True once the statement succeeded: only then is it prepared by name and shared by pipelined requests. */
  proven: boolean
}

/** An approximate LRU cache of two generations: the old one is evicted when the young one is full. */
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

  /** Large plans are not cached: a thousand of them would use too much memory. */
  put(shape: string, prepared: PreparedPlan): void {
    if (shape.length + prepared.sql.text.length > LIMITS.rememberedPlanBytes) return
    if (this.young.size >= LIMITS.rememberedPlans / 2) {
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
