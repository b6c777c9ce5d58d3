import type { Logger } from 'pino'
import type { Database } from '#postgres/database.ts'

/** As on hosted Supabase. */
const RETENTION = '72 hours'
const BATCH_ROWS = 5_000
const INTERVAL_MS = 60 * 60 * 1000
const FIRST_DELAY_MS = 60 * 1000

/** Periodically deletes old broadcasts. Safe to run in several processes: each skips rows locked by another. */
export function clearOldMessages(database: Database, log: Logger): () => void {
  const service = database.asService('realtime', 'deletes expired broadcasts')

  async function clear() {
    try {
      for (let deleted = BATCH_ROWS; deleted === BATCH_ROWS;) {
        const { rows } = await service.query({
          text: 'select realtime.delete_old_messages($1::interval, $2) as deleted',
          values: [RETENTION, BATCH_ROWS],
        })
        deleted = (rows[0] as { deleted: number }).deleted
      }
    } catch (error) {
      log.warn({ err: error }, 'could not delete old broadcasts')
    }
  }

  const first = setTimeout(() => void clear(), FIRST_DELAY_MS)
  const timer = setInterval(() => void clear(), INTERVAL_MS)
  first.unref()
  timer.unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}
