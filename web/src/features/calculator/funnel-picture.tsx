import { m } from '#lib/messages/messages.js'
import { stageName } from './calculator-words.ts'
import { formatFigure, formatShortFigure } from './format-figures.ts'
import {
  BAND_HEIGHT,
  FUNNEL_WIDTH,
  funnelBands,
  funnelHeight,
  type FunnelBand,
} from './funnel-shape.ts'
import type { PlannedStage, Stage } from './plan-goal.ts'

// Every blend of the two keeps white text at 4.5:1, on a light and on a dark card.
const MOUTH = 'var(--funnel-mouth)'
const OUTLET = 'var(--funnel-outlet)'

/** The month as a funnel. Screen readers get one image with every figure in its description. */
export function FunnelPicture({ plan }: { plan: PlannedStage[] }) {
  const bands = funnelBands(plan)
  const description = bands
    .map(({ stage, month }) => `${stageName[stage]()}: ${formatFigure(stage, month)}`)
    .join(', ')
  return (
    <svg
      viewBox={`0 0 ${FUNNEL_WIDTH} ${funnelHeight(bands)}`}
      role="img"
      aria-label={`${m.calculator_funnel_title()}. ${description}`}
      className="mx-auto block w-full max-w-96 print:max-w-72"
      style={{ printColorAdjust: 'exact' }}
    >
      {bands.map((band, index) => (
        <Band key={band.stage} band={band} depth={index / Math.max(bands.length - 1, 1)} />
      ))}
    </svg>
  )
}

/** `depth` runs from 0 at the mouth to 1 at the outlet and sets the color. */
function Band({ band, depth }: { band: FunnelBand; depth: number }) {
  return (
    <g>
      <path
        d={outline(band)}
        style={{
          fill: `color-mix(in oklab, ${OUTLET} ${Math.round(depth * 100)}%, ${MOUTH})`,
        }}
        className="motion-safe:transition-[d] motion-safe:duration-(--motion-move)"
      />
      <text
        x={FUNNEL_WIDTH / 2}
        y={band.y + BAND_HEIGHT / 2}
        textAnchor="middle"
        dominantBaseline="central"
        // In the picture's own units: it grows with the bands.
        fontSize={13}
        className="fill-white font-semibold tabular-nums"
      >
        {`${labelOf(band.stage)}: ${formatShortFigure(band.stage, band.month)}`}
      </text>
    </g>
  )
}

function outline({ y, top, bottom }: FunnelBand): string {
  const left = (width: number) => ((FUNNEL_WIDTH - width) / 2).toFixed(1)
  const right = (width: number) => ((FUNNEL_WIDTH + width) / 2).toFixed(1)
  const end = y + BAND_HEIGHT
  return `M${left(top)} ${y}H${right(top)}L${right(bottom)} ${end}H${left(bottom)}Z`
}

/** Short enough for the outlet; the table next to the picture has the full names. */
function labelOf(stage: Stage): string {
  return stage === 'leaders' ? m.calculator_funnel_leaders() : stageName[stage]()
}
