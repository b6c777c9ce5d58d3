import { m } from '#lib/messages/messages.js'
import { stageName } from './calculator-words.ts'
import { formatFigure } from './format-figures.ts'
import { fromMonth, PERIODS } from './periods.ts'
import type { PlannedStage, Stage } from './plan-goal.ts'

/** Live results: every stage per month (4 weeks), week and day. */
export function ResultsTable({ plan, solved }: { plan: PlannedStage[]; solved: Stage }) {
  return (
    // Text at 200 % needs more width than a phone has.
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-small tabular-nums">
        <caption className="sr-only">{m.calculator_results()}</caption>
        <thead>
          <tr className="text-caption font-semibold text-muted">
            <th scope="col" className="py-2 pr-1 text-left font-semibold">
              <span className="sr-only">{m.calculator_column_stage()}</span>
            </th>
            <HeadCell>{m.calculator_column_month()}</HeadCell>
            <HeadCell>{m.calculator_column_week()}</HeadCell>
            <HeadCell>{m.calculator_column_day()}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {plan.map(({ stage, month }) => (
            <tr key={stage} className="border-t border-line">
              <th
                scope="row"
                className="py-2.5 pr-1 text-left font-normal wrap-anywhere hyphens-auto"
              >
                {stageName[stage]()}
              </th>
              {PERIODS.map((period) => (
                <td
                  key={period}
                  className={`py-2.5 pl-2 text-right ${weight(period, stage, solved)}`}
                >
                  {formatFigure(stage, fromMonth(month, period))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HeadCell({ children }: { children: string }) {
  return (
    <th scope="col" className="w-[22%] py-2 pl-2 text-right font-semibold">
      {children}
    </th>
  )
}

function weight(period: string, stage: Stage, solved: Stage): string {
  if (period !== 'month') return ''
  return stage === solved ? 'font-bold text-success' : 'font-bold'
}
