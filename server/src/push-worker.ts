// Sends push notifications inside the server: woken by a database notification, and by a timer for deliveries that
// were held back, are due for a retry, or were announced while the listener was disconnected.
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
  /** Poll interval. */
  pollMs?: number
  /** Timeout of one request to a provider. */
  timeoutMs?: number
}

export type PushWorker = {
  /** Sends what is due now; for tests. */
  run(): Promise<Settled[]>
  /** Finishes the notifications being sent and claims no more. */
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
  let wakeTimer: NodeJS.Timeout | null = null

  // Runs are serialized: concurrent ones would only compete for the same rows.
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
    // Debounced: one run serves every message written meanwhile.
    wakeTimer ??= setTimeout(() => {
      wakeTimer = null
      runInBackground()
    }, WAKE_DELAY_MS)
  }

  function runInBackground() {
    if (running || stopping.signal.aborted) return
    run().catch((error: unknown) => log.error({ err: error }, 'sending push notifications failed'))
  }

  for (const { channel, is_on, detail } of opened.reports)
    log.info({ channel }, `push by ${channel} is ${is_on ? 'on' : 'off'}: ${detail}`)
  await store.report(opened.reports)
  const stopListening = await database.listener.listen('push_outbox', runSoon, runSoon)
  const poll = setInterval(runInBackground, pollMs)
  runInBackground()

  return {
    run,
    async close() {
      stopping.abort()
      stopListening()
      clearInterval(poll)
      if (wakeTimer) clearTimeout(wakeTimer)
      await running?.catch(() => undefined)
    },
  }
}
