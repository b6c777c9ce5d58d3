import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import type { Period } from './periods.ts'
import type { Stage } from './plan-goal.ts'
import { figureKind, roundForDisplay } from './round-for-display.ts'

/** One stage's figure, rounded for display: `$16,000`, `53` or `1.3`. */
export function formatFigure(stage: Stage, value: number): string {
  const rounded = roundForDisplay(stage, value)
  return figureKind(stage) === 'money' ? formatMoney(rounded) : formatNumber(rounded)
}

const EVERY: Record<Period, (inputs: { count: string }) => string> = {
  month: m.calculator_every_months,
  week: m.calculator_every_weeks,
  day: m.calculator_every_days,
}

/** One stage's figure per period: `53`, or `1 every 3 days` where it would be rounded to 0. */
export function formatRate(stage: Stage, value: number, period: Period): string {
  if (figureKind(stage) === 'money' || value <= 0 || roundForDisplay(stage, value) > 0)
    return formatFigure(stage, value)
  return EVERY[period]({ count: formatNumber(Math.round(1 / value)) })
}

/** Compact (`$16M`) from a million up, for labels inside the picture. */
export function formatShortFigure(stage: Stage, value: number): string {
  if (value < 1_000_000) return formatFigure(stage, value)
  return new Intl.NumberFormat(formatLocale(), {
    notation: 'compact',
    maximumFractionDigits: 1,
    ...(figureKind(stage) === 'money' ? { style: 'currency', currency: 'USD' } : {}),
  }).format(value)
}

export function formatMoney(value: number): string {
  return new Intl.NumberFormat(formatLocale(), {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 0,
  }).format(value)
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: 1 }).format(value)
}

/** `25%`, `62.5%` */
export function formatShare(share: number): string {
  return new Intl.NumberFormat(formatLocale(), {
    style: 'percent',
    maximumFractionDigits: 1,
  }).format(share)
}
