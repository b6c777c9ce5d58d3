import { isProductMetric, marketOf, recruitingMetricOf, type Metric } from './metrics.ts'
import { toMonth, type Period } from './periods.ts'
import { rateOf, type PositionId } from './positions.ts'
import { DEFAULT_RATIOS, type Ratios } from './ratios.ts'
import { planRecruiting, type RecruitingPlan } from './recruiting-plan.ts'
import { planSales, type SalesPlan } from './sales-plan.ts'

/** Every stage of both funnels. */
export type Stage = keyof SalesPlan | keyof RecruitingPlan

/** One line of the results: a stage and its unrounded monthly figure. */
export type PlannedStage = { stage: Stage; month: number }

export type Goal = {
  position: PositionId
  metric: Metric
  value: number
  period: Period
  ratios?: Partial<Ratios>
}

/** Every stage of a goal's funnel, widest first, per month and unrounded. */
export function planGoal(goal: Goal): PlannedStage[] {
  const ratios = { ...DEFAULT_RATIOS, ...goal.ratios }
  const monthValue = toMonth(goal.value, goal.period)
  if (isProductMetric(goal.metric)) {
    const plan = planSales(goal.metric, monthValue, rateOf(goal.position), ratios)
    return inOrder(plan, ['appointments', 'plans', 'sales', 'premium', 'cash'])
  }
  const market = marketOf(goal.metric)
  const plan = planRecruiting(market, recruitingMetricOf(goal.metric), monthValue, ratios)
  return inOrder(plan, ['interviews', 'shows', 'intros', 'recruits', 'leaders'])
}

function inOrder(plan: Partial<Record<Stage, number | undefined>>, stages: Stage[]) {
  return stages.flatMap((stage) => {
    const month = plan[stage]
    return month === undefined ? [] : [{ stage, month }]
  })
}
