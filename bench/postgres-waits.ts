// What Postgres' statements wait for, sampled from pg_stat_activity: where the time of a slow minute went.
import type pg from 'pg'

const SAMPLE_MS = 250

/** Samples until stopped. `take` returns the two most frequent waits since it was last called, as shares of running statements. */
export function sampleWaits(database: pg.Client) {
  let counts = new Map<string, number>()
  let statements = 0
  async function sample() {
    const { rows } = await database.query<{ wait: string }>(
      `select coalesce(wait_event_type || ' ' || wait_event, 'CPU') as wait
       from pg_stat_activity
       where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    statements += rows.length
    for (const { wait } of rows) counts.set(wait, (counts.get(wait) ?? 0) + 1)
  }
  // Not again before the last sample is there.
  let isSampling = false
  const timer = setInterval(() => {
    if (isSampling) return
    isSampling = true
    void sample().finally(() => (isSampling = false))
  }, SAMPLE_MS)
  return {
    take() {
      const most = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, 2)
      const text = most.map(
        ([wait, count]) => `${wait} ${Math.round((100 * count) / statements)} %`,
      )
      counts = new Map()
      statements = 0
      return text.join(', ')
    },
    stop: () => clearInterval(timer),
  }
}
