import type { Logger } from 'pino'
import type { Database } from '#postgres/database.ts'

/** Hosted Supabase keeps broadcasts three days. */
const KEEP = '72 hours'
const AT_MOST_ROWS = 5_000
const EVERY_MS = 60 * 60 * 1000
const FIRST_AFTER_MS = 60 * 1000

/** Removes old broadcasts now and then. Several processes may: each skips the rows another one holds. */
export function clearOldMessages(database: Database, log: Logger): () => void {
  const service = database.asService('realtime', 'removes broadcasts nobody may replay any more')

  async function clear() {
    try {
      for (let deleted = AT_MOST_ROWS; deleted === AT_MOST_ROWS;) {
        const { rows } = await service.query({
          text: 'select realtime.delete_old_messages($1::interval, $2) as deleted',
          values: [KEEP, AT_MOST_ROWS],
        })
        deleted = (rows[0] as { deleted: number }).deleted
      }
    } catch (error) {
      log.warn({ err: error }, 'old broadcasts could not be removed')
    }
  }

  const first = setTimeout(() => void clear(), FIRST_AFTER_MS)
  const timer = setInterval(() => void clear(), EVERY_MS)
  first.unref()
  timer.unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}
