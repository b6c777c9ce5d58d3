// Authorization checks share a few database connections. Accounts take turns, and in an account's turn its sessions do, so one with
// thousands of checks only delays its own.
import { DatabaseBusyError } from '#postgres/errors.ts'

export type Asker = { account: string; session: string }

export type FairQueue = {
  /**
   * Runs `work` when it is the asker's turn.
   * @throws QueueFullError when its account has too much queued: of the session with most, the latest goes
   */
  run<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result>
}

export class QueueFullError extends DatabaseBusyError {}

type Waiting = { start: () => void; refuse: (reason: QueueFullError) => void }
type Account = { count: number; sessions: Map<string, Waiting[]> }

export function createFairQueue(settings: {
  concurrency: number
  queuedPerAccount: number
}): FairQueue {
  /** By account and session, in order of turn: those just served move to the end. */
  const waiting = new Map<string, Account>()
  let running = 0

  function startNext() {
    const [next] = waiting
    if (!next || running >= settings.concurrency) return
    const [name, account] = next
    const [[session, queue] = ['', []]] = account.sessions
    waiting.delete(name)
    account.sessions.delete(session)
    const served = queue.shift()
    if (queue.length > 0) account.sessions.set(session, queue)
    if (--account.count > 0) waiting.set(name, account)
    running++
    served?.start()
  }

  function enqueue({ account: name, session }: Asker, added: Waiting) {
    const account = waiting.get(name) ?? { count: 0, sessions: new Map<string, Waiting[]>() }
    const queue = account.sessions.get(session) ?? []
    queue.push(added)
    account.sessions.set(session, queue)
    waiting.set(name, account)
    if (++account.count > settings.queuedPerAccount) refuseOne(account)
  }

  function refuseOne(account: Account) {
    const [longest, queue] = [...account.sessions].reduce((most, each) =>
      each[1].length < most[1].length ? most : each,
    )
    queue.pop()?.refuse(new QueueFullError('too many checks queued'))
    if (queue.length === 0) account.sessions.delete(longest)
    account.count--
  }

  return {
    async run(asker, work) {
      if (running < settings.concurrency) running++
      else
        await new Promise<void>((resolve, reject) =>
          enqueue(asker, { start: resolve, refuse: reject }),
        )
      try {
        return await work()
      } finally {
        running--
        startNext()
      }
    },
  }
}
