import { m } from '#lib/messages/messages.js'
import type { Focus, Metric } from './metrics.ts'
import type { Period } from './periods.ts'
import type { Stage } from './plan-goal.ts'
import type { PositionId } from './positions.ts'

/** The name of each choice and stage, in the member's language. */
export const positionName: Record<PositionId, () => string> = {
  representative: m.calculator_position_representative,
  district_leader: m.calculator_position_district_leader,
  division_leader: m.calculator_position_division_leader,
  regional_leader: m.calculator_position_regional_leader,
  regional_vp: m.calculator_position_regional_vp,
}

export const focusName: Record<Focus, () => string> = {
  product: m.calculator_focus_product,
  building: m.calculator_focus_building,
}

export const focusHint: Record<Focus, () => string> = {
  product: m.calculator_focus_product_hint,
  building: m.calculator_focus_building_hint,
}

export const metricName: Record<Metric, () => string> = {
  appointments: m.calculator_metric_appointments,
  premium: m.calculator_metric_premium,
  cash: m.calculator_metric_cash,
  warm: m.calculator_metric_warm,
  cold: m.calculator_metric_cold,
  warm_recruits: m.calculator_metric_warm_recruits,
  cold_recruits: m.calculator_metric_cold_recruits,
  warm_leaders: m.calculator_metric_warm_leaders,
  cold_leaders: m.calculator_metric_cold_leaders,
}

export const metricHint: Record<Metric, () => string> = {
  appointments: m.calculator_hint_appointments,
  premium: m.calculator_hint_premium,
  cash: m.calculator_hint_cash,
  warm: m.calculator_hint_warm,
  cold: m.calculator_hint_cold,
  warm_recruits: m.calculator_hint_recruits,
  cold_recruits: m.calculator_hint_recruits,
  warm_leaders: m.calculator_hint_leaders,
  cold_leaders: m.calculator_hint_leaders,
}

/** The label of the number field: what the number counts. */
export const amountLabel: Record<Metric, () => string> = {
  appointments: m.calculator_amount_appointments,
  premium: m.calculator_amount_premium,
  cash: m.calculator_amount_cash,
  warm: m.calculator_amount_interviews,
  cold: m.calculator_amount_interviews,
  warm_recruits: m.calculator_amount_recruits,
  cold_recruits: m.calculator_amount_recruits,
  warm_leaders: m.calculator_amount_leaders,
  cold_leaders: m.calculator_amount_leaders,
}

export const periodName: Record<Period, () => string> = {
  month: m.calculator_period_month,
  week: m.calculator_period_week,
  day: m.calculator_period_day,
}

export const stageName: Record<Stage, () => string> = {
  appointments: m.calculator_stage_appointments,
  plans: m.calculator_stage_plans,
  sales: m.calculator_stage_sales,
  premium: m.calculator_stage_premium,
  cash: m.calculator_stage_cash,
  interviews: m.calculator_stage_interviews,
  shows: m.calculator_stage_shows,
  intros: m.calculator_stage_intros,
  recruits: m.calculator_stage_recruits,
  leaders: m.calculator_stage_leaders,
}

/** Short names for the narrow columns of the week card, which only has stages that members count themselves. */
export const shortStageName: Partial<Record<Stage, () => string>> = {
  appointments: m.calculator_short_appointments,
  plans: m.calculator_short_plans,
  sales: m.calculator_short_sales,
  interviews: m.calculator_short_interviews,
  shows: m.calculator_short_shows,
  intros: m.calculator_short_intros,
  recruits: m.calculator_short_recruits,
}
