// Authorization checks share a few database connections. Callers take turns, so one with thousands of checks only delays
// its own.
import { DatabaseBusyError } from '#postgres/errors.ts'

export type FairQueue = {
  /** Runs `work` when it is the caller's turn. @throws QueueFullError when the caller has too much queued */
  run<Result>(caller: string, work: () => Promise<Result>): Promise<Result>
}

export class QueueFullError extends DatabaseBusyError {}

export function createFairQueue(settings: {
  concurrency: number
  queuedPerCaller: number
}): FairQueue {
  /** In order of turn: a served caller moves to the end. */
  const waiting = new Map<string, (() => void)[]>()
  let running = 0

  function startNext() {
    const [next] = waiting
    if (!next || running >= settings.concurrency) return
    const [caller, queue] = next
    waiting.delete(caller)
    const start = queue.shift()
    if (queue.length > 0) waiting.set(caller, queue)
    running++
    start?.()
  }

  return {
    async run(caller, work) {
      if (running < settings.concurrency) running++
      else {
        const queue = waiting.get(caller) ?? []
        if (queue.length >= settings.queuedPerCaller)
          throw new QueueFullError('too many checks queued')
        waiting.set(caller, queue)
        await new Promise<void>((resolve) => queue.push(resolve))
      }
      try {
        return await work()
      } finally {
        running--
        startNext()
      }
    },
  }
}
