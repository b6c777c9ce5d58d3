import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { showToast } from '#ui/toast-store.ts'
import { currentGoalQuery, saveGoal } from './goal-queries.ts'
import type { Goal } from './plan-goal.ts'
import { ThisWeekCard } from './this-week-card.tsx'

/** Saves the displayed goal as the member's own; once it is, shows this week's pace instead. */
export function SaveGoal({ goal }: { goal: Goal }) {
  const queryClient = useQueryClient()
  const current = useQuery(currentGoalQuery())
  const saving = useMutation({
    mutationFn: () => saveGoal(goal),
    onSuccess: () => showToast(m.calculator_goal_saved()),
    onError: (error) => showError(m.calculator_goal_save_error(), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['goals'] }),
  })
  if (goal.value === 0) return null
  if (current.data && isSameGoal(current.data, goal)) {
    return (
      <>
        <p className="flex items-center justify-center gap-2 font-semibold text-success">
          <Check aria-hidden="true" className="size-5" />
          {m.calculator_goal_is_this()}
        </p>
        <ThisWeekCard />
      </>
    )
  }
  return (
    <div className="grid gap-2">
      <Button
        size="lg"
        onClick={() => saving.mutate()}
        busyText={saving.isPending && m.calculator_goal_saving()}
      >
        {m.calculator_goal_save()}
      </Button>
      {current.data && (
        <p className="text-center text-note text-muted">{m.calculator_goal_replace_note()}</p>
      )}
    </div>
  )
}

/** Whether two goals have the same target and the same assumptions. */
export function isSameGoal(a: Goal, b: Goal): boolean {
  const comparable = ({ position, metric, value, period, ratios = {} }: Goal) =>
    JSON.stringify([position, metric, value, period, Object.entries(ratios).sort()])
  return comparable(a) === comparable(b)
}
