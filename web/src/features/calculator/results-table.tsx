import { m } from '#lib/messages/messages.js'
import { formatRate } from './format-figures.ts'
import { fromMonth, PERIODS } from './periods.ts'
import type { PlannedStage, Stage } from './plan-goal.ts'
import { StageTable } from './stage-table.tsx'

/** Live results: every stage per month (4 weeks), week and day. */
export function ResultsTable({ plan, solved }: { plan: PlannedStage[]; solved: Stage }) {
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
