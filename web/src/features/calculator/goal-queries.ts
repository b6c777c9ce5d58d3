import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { Row } from '#data/database.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { pendingChanges } from '#data/kept/pending-writes.ts'
import { database } from '#data/supabase.ts'
import { keepUsableRatios } from './own-ratios.ts'
import type { Goal } from './plan-goal.ts'
import type { Ratios } from './ratios.ts'
import { totalsFromRows, type Activity } from './sum-activity.ts'
import { addDays, dayOf, mondayOf, type Day } from './work-week.ts'

export type SavedGoal = Goal & { id: string; savedOn: Day }

/** Own ratios are measured over half a year: long enough to be meaningful, short enough to be current. */
const MEASURED_DAYS = 182

/** The member's current goal, or null if none is saved. */
export const currentGoalQuery = () =>
  queryOptions({
    ...keptOnDevice(),
    queryKey: ['goals', 'current'],
    queryFn: async ({ signal }): Promise<SavedGoal | null> => {
      const { data } = await database
        .from('goals')
        .select('id, position, metric, value, period, own_ratios, created_at')
        .is('ended_at', null)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data && fromRow(data)
    },
  })

/** Everything logged in the week that contains `today`, with what still waits on this device. */
export const weekActivityQuery = (memberId: string, today: Day) => {
  const monday = mondayOf(today)
  const nextMonday = addDays(monday, 7)
  const withPending = (entries: Activity[]) =>
    pendingChanges<ActivityChange>(memberId, ACTIVITY)
      .filter(({ entry: { happened_on } }) => happened_on >= monday && happened_on < nextMonday)
      .reduce(withChange, entries)
  return queryOptions({
    ...keptOnDevice({ fromKept: withPending }),
    queryKey: ['goal_activity', { week: monday }],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('goal_activity')
        .select('id, goal_id, stage, quantity, premium, happened_on')
        .gte('happened_on', monday)
        .lt('happened_on', nextMonday)
        .order('created_at')
        .abortSignal(signal)
        .throwOnError()
      return withPending(data)
    },
  })
}

/** One entry as it should be, or that it should not be. */
export type ActivityChange = { entry: Activity; isRemoved: boolean }
export const ACTIVITY = 'goal-activity'

export function withChange(entries: Activity[], { entry, isRemoved }: ActivityChange): Activity[] {
  const others = entries.filter(({ id }) => id !== entry.id)
  return isRemoved ? others : [...others, entry]
}

export const activityTotalsQuery = (today: Day) =>
  queryOptions({
    queryKey: ['goal_activity', { totalsSince: addDays(today, -MEASURED_DAYS) }],
    queryFn: async ({ signal }) => {
      const since = addDays(today, -MEASURED_DAYS)
      return totalsFromRows(await callFunction('activity_totals', { since }, signal))
    },
  })

export async function saveGoal({ position, metric, value, period, ratios }: Goal): Promise<void> {
  await callFunction('save_goal', { position, metric, value, period, own_ratios: ratios ?? {} })
}

/** Safe to repeat: the response to an earlier attempt may have been lost. */
export async function writeActivity({ entry, isRemoved }: ActivityChange): Promise<void> {
  const rows = database.from('goal_activity')
  if (isRemoved) {
    await rows.delete().eq('id', entry.id).throwOnError()
    return
  }
  await rows.upsert(entry, { ignoreDuplicates: true }).throwOnError()
  const { premium } = entry
  if (premium !== null) await rows.update({ premium }).eq('id', entry.id).throwOnError()
}

type GoalRow = Pick<
  Row<'goals'>,
  'id' | 'position' | 'metric' | 'value' | 'period' | 'own_ratios' | 'created_at'
>

function fromRow({ own_ratios, created_at, ...goal }: GoalRow): SavedGoal {
  const ratios: Partial<Ratios> | undefined = keepUsableRatios(own_ratios)
  return { ...goal, ratios, savedOn: dayOf(new Date(created_at)) }
}
