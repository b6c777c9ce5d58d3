import { queryOptions } from '@tanstack/react-query'
import { database } from '#lib/supabase.ts'
import type { Metric } from './metrics.ts'
import { keepUsableRatios } from './own-ratios.ts'
import type { Period } from './periods.ts'
import type { Goal } from './plan-goal.ts'
import type { PositionId } from './positions.ts'
import type { Ratios } from './ratios.ts'
import { totalsFromRows, type Activity, type TotalRow } from './sum-activity.ts'
import { addDays, dayOf, mondayOf, type Day } from './work-week.ts'

export type SavedGoal = Goal & { id: string; savedOn: Day }

/** Own ratios are measured over half a year: long enough to mean something, short enough to be today's rep. */
const MEASURED_DAYS = 182

/** The member's current goal, or null when none was saved yet. */
export const currentGoalQuery = () =>
  queryOptions({
    queryKey: ['goals', 'current'],
    queryFn: async ({ signal }): Promise<SavedGoal | null> => {
      const { data } = await database
        .from('goals')
        .select('id, position, metric, value, period, own_ratios, created_at')
        .is('ended_at', null)
        .abortSignal(signal)
        .maybeSingle<GoalRow>()
        .throwOnError()
      return data && fromRow(data)
    },
  })

/** Everything logged in the week of a day. */
export const weekActivityQuery = (today: Day) =>
  queryOptions({
    queryKey: ['goal_activity', { week: mondayOf(today) }],
    queryFn: async ({ signal }): Promise<Activity[]> => {
      const { data } = await database
        .from('goal_activity')
        .select('id, goal_id, stage, quantity, premium, happened_on')
        .gte('happened_on', mondayOf(today))
        .lt('happened_on', addDays(mondayOf(today), 7))
        .order('created_at')
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Activity[], { merge: false }>()
      return data
    },
  })

export const activityTotalsQuery = (today: Day) =>
  queryOptions({
    queryKey: ['goal_activity', { totalsSince: addDays(today, -MEASURED_DAYS) }],
    queryFn: async ({ signal }) => {
      const answer = await database
        .rpc('activity_totals', { since: addDays(today, -MEASURED_DAYS) })
        .abortSignal(signal)
        .throwOnError()
      return totalsFromRows(answer.data as TotalRow[])
    },
  })

export async function saveGoal({ position, metric, value, period, ratios }: Goal): Promise<void> {
  await database
    .rpc('save_goal', { position, metric, value, period, own_ratios: ratios ?? {} })
    .throwOnError()
}

export async function insertActivity(entry: Activity): Promise<void> {
  await database.from('goal_activity').insert(entry).throwOnError()
}

export async function deleteActivity(id: string): Promise<void> {
  await database.from('goal_activity').delete().eq('id', id).throwOnError()
}

export async function setPremium(id: string, premium: number): Promise<void> {
  await database.from('goal_activity').update({ premium }).eq('id', id).throwOnError()
}

type GoalRow = {
  id: string
  position: PositionId
  metric: Metric
  value: number
  period: Period
  own_ratios: Record<string, unknown>
  created_at: string
}

function fromRow({ own_ratios, created_at, ...goal }: GoalRow): SavedGoal {
  const ratios: Partial<Ratios> | undefined = keepUsableRatios(own_ratios)
  return { ...goal, ratios, savedOn: dayOf(new Date(created_at)) }
}
