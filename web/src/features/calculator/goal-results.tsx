import { Card } from '#ui/card.tsx'
import { Assumptions } from './assumptions.tsx'
import { FunnelPicture } from './funnel-picture.tsx'
import { isProductMetric, solvedStage } from './metrics.ts'
import { OwnRatios } from './own-ratios-card.tsx'
import { planGoal, type Goal } from './plan-goal.ts'
import { DEFAULT_RATIOS, type Ratios } from './ratios.ts'
import { ResultsTable } from './results-table.tsx'
import { SaveGoal } from './save-goal.tsx'
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
