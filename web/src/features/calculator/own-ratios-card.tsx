import { useQuery } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { activityTotalsQuery } from './goal-queries.ts'
import { isProductMetric, marketOf, type Metric } from './metrics.ts'
import { ownRatios } from './own-ratios.ts'
import type { Goal } from './plan-goal.ts'
import type { RatioName, Ratios } from './ratios.ts'
import { useToday } from './use-today.ts'

type Props = { goal: Goal; onRatios: (ratios: Partial<Ratios> | undefined) => void }

/**
 * Offers the member's own ratios once enough is logged. Silent while loading or on error: the results use
 * the default ratios either way.
 */
export function OwnRatios({ goal, onRatios }: Props) {
  const totals = useQuery(activityTotalsQuery(useToday()))
  if (goal.ratios && Object.keys(goal.ratios).length > 0) {
    return (
      <Card className="flex flex-wrap items-center gap-3">
        <p className="flex-1 basis-40">{m.calculator_own_in_use()}</p>
        <Button variant="ghost" onClick={() => onRatios(undefined)}>
          {m.calculator_own_drop()}
        </Button>
      </Card>
    )
  }
  const own = totals.data ? relevant(ownRatios(totals.data), goal.metric) : {}
  if (Object.keys(own).length === 0) return null
  return (
    <Card className="flex flex-wrap items-center gap-3">
      <div className="flex-1 basis-52">
        <h2 className="font-semibold">{m.calculator_own_offer_title()}</h2>
        <p className="text-small text-muted">{m.calculator_own_offer_text()}</p>
      </div>
      <Button variant="tint" onClick={() => onRatios(own)}>
        {m.calculator_own_use()}
      </Button>
    </Card>
  )
}

const SALES_RATIOS: RatioName[] = ['plansPerAppointment', 'salesPerAppointment', 'premiumPerSale']

function relevant(ratios: Partial<Ratios>, metric: Metric): Partial<Ratios> {
  const belongs = (name: string) =>
    isProductMetric(metric)
      ? SALES_RATIOS.some((each) => each === name)
      : name.startsWith(marketOf(metric))
  return Object.fromEntries(Object.entries(ratios).filter(([name]) => belongs(name)))
}
