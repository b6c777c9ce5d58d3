import { useMutation, useQueryClient } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import { deleteActivity, insertActivity, weekActivityQuery } from './goal-queries.ts'
import type { Activity } from './sum-activity.ts'
import type { Day } from './work-week.ts'

// An undo tapped quickly must not reach the server before the entry it takes back.
const ONE_AFTER_ANOTHER = { id: 'goal-activity' }

/** Logs and takes back at once on the screen; what the server refuses is undone there and said. */
export function useActivityLog(day: Day) {
  const queryClient = useQueryClient()
  const { queryKey } = weekActivityQuery(day)
  const edit = (change: (entries: Activity[]) => Activity[]) =>
    queryClient.setQueryData(queryKey, (entries: Activity[] = []) => change(entries))
  const without = (entry: Activity) => (entries: Activity[]) =>
    entries.filter(({ id }) => id !== entry.id)
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['goal_activity'] })

  const add = useMutation({
    mutationFn: insertActivity,
    scope: ONE_AFTER_ANOTHER,
    onMutate: async (entry) => {
      await queryClient.cancelQueries({ queryKey })
      edit((entries) => [...entries, entry])
    },
    onError: (error, entry) => {
      edit(without(entry))
      showError(m.calculator_log_error(), error)
    },
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: (entry: Activity) => deleteActivity(entry.id),
    scope: ONE_AFTER_ANOTHER,
    onMutate: async (entry) => {
      await queryClient.cancelQueries({ queryKey })
      edit(without(entry))
    },
    onError: (error, entry) => {
      edit((entries) => [...entries, entry])
      showError(m.calculator_log_error(), error)
    },
    onSettled: refresh,
  })
  return { add, remove }
}
