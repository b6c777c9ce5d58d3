// Members' writes that run at the same time commit without waiting for the disk, and then share one wait. Postgres holds a
// lock over the flush of every transaction that notifies, so such commits would otherwise reach the disk one after the
// other: docs/decisions/020-writes-share-a-flush.md
import { GuardedClient } from './guarded-client.ts'

/** A commit that waits for the disk takes with it everything committed before. */
const FLUSH = { name: 'flush', text: `select pg_logical_emit_message(true, 'flush', '')` }

/** Resolves once everything that was committed before the call is on disk. */
export type Flush = () => Promise<void>

type SharedFlush = {
  /**
   * To be taken before a write is sent and called once it is committed: the connection fails if Postgres crashes in between.
   * Null while there is no connection; then a write has to wait for the disk by itself.
   */
  take(): Flush | null
  close(): Promise<void>
}

export function createSharedFlush(url: string, onError: (error: unknown) => void): SharedFlush {
  let client: GuardedClient | null = null
  let flush: Flush | null = null
  let isClosed = false

  function connect() {
    const opened = new GuardedClient({ connectionString: url, application_name: 'data-flush' })
    client = opened
    const forget = () => {
      if (client === opened) client = flush = null
    }
    opened.on('error', onError)
    opened.on('end', forget)
    opened.connect().then(
      () => {
        if (client === opened) flush = shareRuns(() => opened.query(FLUSH))
      },
      (error: unknown) => {
        forget()
        onError(error)
      },
    )
  }

  return {
    take() {
      if (!client && !isClosed) connect()
      return flush
    },
    async close() {
      isClosed = true
      const last = client
      client = flush = null
      await last?.end()
    },
  }
}

/** Calls made during a run share the next one, which begins after all of them. */
export function shareRuns(run: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  function start(): Promise<void> {
    next = null
    const started = run().then(() => undefined)
    const done = started.finally(() => {
      if (running === done) running = null
    })
    return (running = done)
  }

  return () => {
    if (next) return next
    if (!running) return start()
    return (next = running.catch(() => undefined).then(start))
  }
}
