import type { PlannedStage, Stage } from './plan-goal.ts'
import { figureKind } from './round-for-display.ts'

export const FUNNEL_WIDTH = 320
export const BAND_HEIGHT = 44
const BAND_GAP = 6
/** Fits the longest label. Below this, widths stop following the figures. */
const NARROWEST = 156

export type FunnelBand = { stage: Stage; y: number; top: number; bottom: number; month: number }

/**
 * Bands from wide to narrow. Width follows the square root of a count, so that 100 interviews and 7 recruits
 * fit one picture. Money isn't comparable to counts, so premium and cash continue the spout at its last
 * width.
 */
export function funnelBands(plan: PlannedStage[]): FunnelBand[] {
  const widths = plan.map(({ stage, month }) => widthOf(stage, month, plan[0]?.month ?? 0))
  return plan.map(({ stage, month }, index) => ({
    stage,
    month,
    y: index * (BAND_HEIGHT + BAND_GAP),
    top: widths[index]!,
    bottom: Math.min(widths[index]!, widths[index + 1] ?? NARROWEST),
  }))
}

export function funnelHeight(bands: FunnelBand[]): number {
  return Math.max(bands.length * (BAND_HEIGHT + BAND_GAP) - BAND_GAP, 0)
}

function widthOf(stage: Stage, month: number, widest: number): number {
  if (figureKind(stage) === 'money' || widest === 0) return NARROWEST
  const share = Math.sqrt(Math.min(month / widest, 1))
  return NARROWEST + (FUNNEL_WIDTH - NARROWEST) * share
}
