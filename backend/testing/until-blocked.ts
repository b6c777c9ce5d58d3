import { expect } from 'vitest'

// Not by wait_event_type, which only superusers read of others.
const BLOCKED = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`

/** Waits until one statement of this database waits for a lock that another transaction holds. */
export async function untilBlocked(query: (text: string) => Promise<unknown[]>): Promise<void> {
  await expect.poll(async () => (await query(BLOCKED))[0]).toEqual({ count: 1 })
}
