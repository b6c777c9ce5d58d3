import type { Goal } from './plan-goal.ts'

/** Whether two goals ask for the same thing under the same assumptions. */
export function isSameGoal(a: Goal, b: Goal): boolean {
  const comparable = ({ position, metric, value, period, ratios = {} }: Goal) =>
    JSON.stringify([position, metric, value, period, Object.entries(ratios).sort()])
  return comparable(a) === comparable(b)
}
