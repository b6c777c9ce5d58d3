import type { Stage } from './plan-goal.ts'

/** How to display a stage's figure: dollars, a whole number, or one decimal. */
export function figureKind(stage: Stage): 'money' | 'count' | 'tenths' {
  if (stage === 'premium' || stage === 'cash') return 'money'
  return stage === 'leaders' ? 'tenths' : 'count'
}

/**
 * Whole numbers, leaders to one decimal. For display only: every figure is computed unrounded (product.md
 * P60).
 */
export function roundForDisplay(stage: Stage, value: number): number {
  // Binary fractions store 7.5 as 7.499999999999999; keep twelve digits first so that a half always rounds
  // up.
  const exact = Number(value.toPrecision(12))
  return figureKind(stage) === 'tenths'
    ? Math.round(Number((exact * 10).toPrecision(12))) / 10
    : Math.round(exact)
}
