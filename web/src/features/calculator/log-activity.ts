import { writesLater, writeSoon } from '#data/kept/pending-writes.ts'
import { queryClient } from '#data/query-client.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import {
  ACTIVITY,
  weekActivityQuery,
  withChange,
  writeActivity,
  type ActivityChange,
} from './goal-queries.ts'
import type { Activity } from './sum-activity.ts'

/** Logs an entry, or changes it. Shows at once, and waits on this device while offline. */
export function logActivity(memberId: string, entry: Activity) {
  change(memberId, { entry, isRemoved: false })
}

export function undoActivity(memberId: string, entry: Activity) {
  change(memberId, { entry, isRemoved: true })
}

function change(memberId: string, values: ActivityChange) {
  const { entry } = values
  queryClient.setQueryData(
    weekActivityQuery(memberId, entry.happened_on).queryKey,
    (entries) => entries && withChange(entries, values),
  )
  void writeSoon(memberId, { id: `${ACTIVITY} ${entry.id}`, kind: ACTIVITY, values })
}

writesLater<ActivityChange>(ACTIVITY, {
  write: writeActivity,
  onSettled: () => void queryClient.invalidateQueries({ queryKey: ['goal_activity'] }),
  onRefused: (error) => showError(m.calculator_log_error(), error),
})
