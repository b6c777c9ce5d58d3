import type { ResultRow, Row } from '#data/database.ts'
import type { ActivityTotals } from './own-ratios.ts'
import type { WeekActivity } from './pace.ts'
import type { Stage } from './plan-goal.ts'

/** One line of the activity log. */
export type Activity = Pick<
  Row<'goal_activity'>,
  'id' | 'goal_id' | 'stage' | 'quantity' | 'premium' | 'happened_on'
>

/** The stages a member counts; money and leaders follow from them. */
const COUNTED_STAGES = [
  'appointments',
  'plans',
  'sales',
  'interviews',
  'shows',
  'intros',
  'recruits',
] as const satisfies Stage[]

export type CountedStage = (typeof COUNTED_STAGES)[number]

export function isCounted(stage: Stage): stage is CountedStage {
  return COUNTED_STAGES.some((each) => each === stage)
}

/** Counts per stage for one kind of goal, on one day or over all rows. */
export function sumActivity(rows: Activity[], day?: string): WeekActivity {
  const sums: WeekActivity = {}
  for (const row of rows) {
    if (day && row.happened_on !== day) continue
    sums[row.stage] = (sums[row.stage] ?? 0) + row.quantity
  }
  return sums
}

export function totalsFromRows(rows: ResultRow<'activity_totals'>[]): ActivityTotals {
  const of = (stage: CountedStage, market?: 'warm' | 'cold') =>
    rows
      .filter((row) => row.stage === stage && (!market || row.market === market))
      .reduce((sum, row) => sum + row.quantity, 0)
  const byMarket = (stage: CountedStage) => ({ warm: of(stage, 'warm'), cold: of(stage, 'cold') })
  const sales = rows.filter((row) => row.stage === 'sales')
  return {
    appointments: of('appointments'),
    plans: of('plans'),
    sales: of('sales'),
    premium: sales.reduce((sum, row) => sum + row.premium, 0),
    salesWithPremium: sales.reduce((sum, row) => sum + row.with_premium, 0),
    interviews: byMarket('interviews'),
    shows: byMarket('shows'),
    intros: of('intros'),
    recruits: byMarket('recruits'),
  }
}
