// An authorization check that is overtaken by a recheck may have read outdated rights, so its result is discarded.
import type { Caller } from '#http/caller.ts'

/** A caller and the topic whose rights are checked; a channel is one. */
export type Subject = { name: string; caller: Caller }

export type PendingChecks = {
  /**
   * Runs `check`, and repeats it until no recheck of the subject arrived while it ran. The caller must use the result
   * without awaiting anything else. Rejects as soon as `check` does.
   */
  run<Result>(subject: Subject, check: () => Promise<Result>): Promise<Result>
  /** Marks running checks of these subjects as outdated. */
  invalidate(matches: (subject: Subject) => boolean): void
}

export function createPendingChecks(): PendingChecks {
  const running = new Set<{ subject: Subject; isStale: boolean }>()
  return {
    async run(subject, check) {
      const pending = { subject, isStale: false }
      running.add(pending)
      try {
        for (;;) {
          pending.isStale = false
          const result = await check()
          if (!pending.isStale) return result
        }
      } finally {
        running.delete(pending)
      }
    },
    invalidate(matches) {
      for (const pending of running) if (matches(pending.subject)) pending.isStale = true
    },
  }
}
