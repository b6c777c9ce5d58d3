/**
 * A month is 4 weeks or 20 working days; a year is never 12 months. Every input is first converted to the
 * month, then the formulas run (product.md P52).
 */
export const PERIODS = ['month', 'week', 'day'] as const

export type Period = (typeof PERIODS)[number]

const WEEKS_PER_MONTH = 4
const WORKING_DAYS_PER_MONTH = 20
export const WORKING_DAYS_PER_WEEK = WORKING_DAYS_PER_MONTH / WEEKS_PER_MONTH

const TIMES_A_MONTH: Record<Period, number> = {
  month: 1,
  week: WEEKS_PER_MONTH,
  day: WORKING_DAYS_PER_MONTH,
}

/** 2 appointments a day are 40 a month. */
export function toMonth(value: number, period: Period): number {
  return value * TIMES_A_MONTH[period]
}

/**
 * 40 appointments a month are 10 a week and 2 a day. Unrounded: rounding is for display only (product.md
 * P60).
 */
export function fromMonth(monthValue: number, period: Period): number {
  return monthValue / TIMES_A_MONTH[period]
}
