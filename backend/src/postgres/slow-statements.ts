// Which statements count as slow, and how many of them each caller may run at once. A statement's text says how long it
// will take only as a guess, because its values matter too. So a caller whose statement is unexpectedly slow is not
// trusted for a while: all of that caller's statements count as slow.
import { LIMITS } from './limits.ts'
import type { Job } from './pipeline.ts'

const TRACKED_TEXTS = 2_000
/** Decay of a recorded duration per run: after one slow run, a statement needs dozens of fast ones to count as fast. */
const DURATION_DECAY = 0.9
/** All anonymous callers together get the slow statements of one member. */
const ANONYMOUS = 'anonymous'

export class SlowStatements {
  /** Milliseconds by statement text. */
  private readonly durations = new Map<string, number>()
  /** Slow statements running, by `quotaKeyOf`. */
  private readonly running = new Map<string, number>()
  private total = 0
  /** Until when a caller is not trusted, by `quotaKeyOf`, in the order of these times. */
  private readonly distrusted = new Map<string, number>()

  includes(job: Job): boolean {
    if (job.wasLate || (this.durations.get(job.text) ?? Infinity) > LIMITS.slowStatementMs) {
      return true
    }
    // Usually there are none, and this runs for every request.
    if (this.distrusted.size === 0) return false
    return (this.distrusted.get(quotaKeyOf(job)) ?? 0) > performance.now()
  }

  mayStart(job: Job): boolean {
    return (this.running.get(quotaKeyOf(job)) ?? 0) < this.perCaller()
  }

  start(job: Job) {
    const key = quotaKeyOf(job)
    job.isSlow = true
    this.total++
    this.running.set(key, (this.running.get(key) ?? 0) + 1)
  }

  end(job: Job) {
    const key = quotaKeyOf(job)
    job.isSlow = false
    this.total--
    const left = (this.running.get(key) ?? 1) - 1
    if (left > 0) this.running.set(key, left)
    else this.running.delete(key)
  }

  record(text: string, milliseconds: number) {
    const before = this.durations.get(text)
    if (before === undefined && this.durations.size >= TRACKED_TEXTS) this.durations.clear()
    this.durations.set(text, Math.max(milliseconds, (before ?? 0) * DURATION_DECAY))
  }

  treatCallerAsSlow(job: Job) {
    const key = quotaKeyOf(job)
    const now = performance.now()
    this.distrusted.delete(key)
    for (const [earlier, until] of this.distrusted) {
      if (until > now) break
      this.distrusted.delete(earlier)
    }
    this.distrusted.set(key, now + LIMITS.distrustMs)
  }

  /** Fewer the more run, so that some connections are left for fast statements and for other callers. */
  private perCaller(): number {
    if (this.total >= LIMITS.slowStatements) return 0
    return this.total >= LIMITS.slowStatementsUntilShared ? 1 : LIMITS.slowStatementsPerCaller
  }
}

const quotaKeyOf = (job: Job) => (job.isAnonymous ? ANONYMOUS : job.key)
