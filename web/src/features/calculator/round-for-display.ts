import type { Stage } from './plan-goal.ts'

/** How a stage's figure reads: dollars, a whole count, or a count with one decimal. */
export function figureKind(stage: Stage): 'money' | 'count' | 'tenths' {
  if (stage === 'premium' || stage === 'cash') return 'money'
  return stage === 'leaders' ? 'tenths' : 'count'
}

/**
 * "Results are rounded; district leaders to one decimal" (spec section 9). For display only: every
 * figure is computed unrounded (reading 8).
 */
export function roundForDisplay(stage: Stage, value: number): number {
  // Binary fractions leave 7.5 as 7.499999999999999; twelve digits first, so that a half always rounds up.
  const exact = Number(value.toPrecision(12))
  return figureKind(stage) === 'tenths'
    ? Math.round(Number((exact * 10).toPrecision(12))) / 10
    : Math.round(exact)
}
