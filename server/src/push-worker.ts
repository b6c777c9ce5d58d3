// Sends push notifications inside the server: woken by the database when something is owed, and by a timer for what
// was held back, is to be tried again, or was announced while nobody listened.
import type { Logger } from 'pino'
import type { Database } from 'backend/postgres/database.ts'
import type { Clock } from 'backend/http/clock.ts'
import type { OpenedChannels } from 'supabase-project/functions/push/open-channels.ts'
import { sendDue, type Settled } from 'supabase-project/functions/push/send-due.ts'
import { createPushStore } from './push-store.ts'

export type PushWorkerSettings = {
  database: Pick<Database, 'runAs' | 'listener'>
  opened: OpenedChannels
  clock: Clock
  log: Logger
  /** How often to look without being woken. */
  pollMs?: number
  /** How long a provider may take to answer. */
  timeoutMs?: number
}

export type PushWorker = {
  /** Sends what is due now; for tests and for whoever cannot wait. */
  run(): Promise<Settled[]>
  /** Finishes the notifications being sent, takes no new ones. */
  close(): Promise<void>
}

/** A little more than private.push_delay(): a message becomes due two seconds after it was sent. */
const WAKE_DELAY_MS = 2200
const POLL_MS = 5000

export async function startPushWorker(settings: PushWorkerSettings): Promise<PushWorker> {
  const { database, opened, clock, log, pollMs = POLL_MS } = settings
  const store = createPushStore(database)
  const stopping = new AbortController()
  let running: Promise<Settled[]> | null = null
  let wake: NodeJS.Timeout | null = null

  // One after the other: a second run at the same time would only compete for the same rows.
  async function run(): Promise<Settled[]> {
    while (running) await running
    const timeout = settings.timeoutMs === undefined ? {} : { timeoutMs: settings.timeoutMs }
    running = sendDue({
      store,
      channels: opened.channels,
      clock,
      signal: stopping.signal,
      ...timeout,
    })
    try {
      const settled = await running
      report(settled)
      return settled
    } finally {
      running = null
    }
  }

  function report(settled: Settled[]) {
    for (const { id, ...result } of settled) {
      if (result.outcome === 'failed' || result.outcome === 'uncertain')
        log.warn({ delivery: id, ...result }, 'a push notification was not delivered')
    }
    if (settled.length) log.debug({ count: settled.length }, 'push notifications sent')
  }

  function runSoon() {
    // One run serves every message of the next moment.
    wake ??= setTimeout(() => {
      wake = null
      runQuietly()
    }, WAKE_DELAY_MS)
  }

  function runQuietly() {
    if (running || stopping.signal.aborted) return
    run().catch((error: unknown) =>
      log.error({ err: error }, 'push notifications could not be sent'),
    )
  }

  for (const { channel, is_on, detail } of opened.reports)
    log.info({ channel }, `push by ${channel} is ${is_on ? 'on' : 'off'}: ${detail}`)
  await store.report(opened.reports)
  const stopListening = await database.listener.listen('push_outbox', runSoon, runSoon)
  const poll = setInterval(runQuietly, pollMs)
  runQuietly()

  return {
    run,
    async close() {
      stopping.abort()
      stopListening()
      clearInterval(poll)
      if (wake) clearTimeout(wake)
      await running?.catch(() => undefined)
    },
  }
}
