import { m } from '#lib/messages/messages.js'

/**
 * Throws where a write changed no row. Row level security hides what the member may no longer change, which PostgREST does
 * not count as an error.
 * @param rows what the write returned, with `.select('id')`
 */
export function assertChanged(rows: readonly unknown[]) {
  if (rows.length === 0) throw new Error(m.ui_nothing_changed())
}
