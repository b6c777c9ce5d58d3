import { m } from '#lib/messages/messages.js'
import { Card } from '#ui/card.tsx'
import { Assumptions } from './assumptions.tsx'
import { formatRate } from './format-figures.ts'
import { FunnelPicture } from './funnel-picture.tsx'
import { isProductMetric, solvedStage } from './metrics.ts'
import { OwnRatios } from './own-ratios-card.tsx'
import { fromMonth, PERIODS } from './periods.ts'
import { planGoal, type Goal, type PlannedStage, type Stage } from './plan-goal.ts'
import { DEFAULT_RATIOS, type Ratios } from './ratios.ts'
import { SaveGoal } from './save-goal.tsx'
import { StageTable } from './stage-table.tsx'
import { WhatIf } from './what-if.tsx'

type Props = { goal: Goal; onRatios: (ratios: Partial<Ratios> | undefined) => void }

/**
 * Picture, table, save, "what if" and assumptions of one goal; picture and table side by side where they
 * fit.
 */
export function GoalResults({ goal, onRatios }: Props) {
  const plan = planGoal(goal)
  return (
    <div className="grid grid-cols-1 items-start gap-3.5 lg:grid-cols-2">
      {goal.value > 0 && (
        <Card className="lg:p-8">
          <FunnelPicture plan={plan} />
        </Card>
      )}
      <div className="grid grid-cols-1 gap-3.5">
        <Card className="py-2">
          <ResultsTable plan={plan} solved={solvedStage(goal.metric)} />
        </Card>
        <SaveGoal goal={goal} />
        <OwnRatios goal={goal} onRatios={onRatios} />
        {isProductMetric(goal.metric) && <WhatIf goal={goal} />}
        <Assumptions
          metric={goal.metric}
          position={goal.position}
          ratios={{ ...DEFAULT_RATIOS, ...goal.ratios }}
        />
      </div>
    </div>
  )
}

/** Live results: every stage per month (4 weeks), week and day. */
function ResultsTable({ plan, solved }: { plan: PlannedStage[]; solved: Stage }) {
  return (
    <StageTable
      caption={m.calculator_results()}
      columns={[m.calculator_column_month(), m.calculator_column_week(), m.calculator_column_day()]}
      columnClassName="w-[22%]"
      rows={plan.map(({ stage, month }) => ({
        stage,
        figures: PERIODS.map((period) => ({
          text: formatRate(stage, fromMonth(month, period), period),
          className: weight(period, stage, solved),
        })),
      }))}
    />
  )
}

function weight(period: string, stage: Stage, solved: Stage): string {
  if (period !== 'month') return ''
  return stage === solved ? 'font-bold text-success' : 'font-bold'
}
