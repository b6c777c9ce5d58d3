// Authorization checks share a few database connections. Accounts take turns, and in an account's turn its sessions do, so one with
// thousands of checks only delays its own.
import { DatabaseBusyError } from '#postgres/errors.ts'

export type Asker = { account: string; session: string }

export type FairQueue = {
  /** Runs `work` when it is the asker's turn. @throws QueueFullError when its session has too much queued */
  run<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result>
}

export class QueueFullError extends DatabaseBusyError {}

export function createFairQueue(settings: {
  concurrency: number
  queuedPerSession: number
}): FairQueue {
  /** By account and session, in order of turn: those just served move to the end. */
  const waiting = new Map<string, Map<string, (() => void)[]>>()
  let running = 0

  function startNext() {
    const [next] = waiting
    if (!next || running >= settings.concurrency) return
    const [account, sessions] = next
    const [[session, queue] = ['', []]] = sessions
    waiting.delete(account)
    sessions.delete(session)
    const start = queue.shift()
    if (queue.length > 0) sessions.set(session, queue)
    if (sessions.size > 0) waiting.set(account, sessions)
    running++
    start?.()
  }

  return {
    async run({ account, session }, work) {
      if (running < settings.concurrency) running++
      else {
        const sessions = waiting.get(account) ?? new Map<string, (() => void)[]>()
        const queue = sessions.get(session) ?? []
        if (queue.length >= settings.queuedPerSession)
          throw new QueueFullError('too many checks queued')
        waiting.set(account, sessions.set(session, queue))
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
