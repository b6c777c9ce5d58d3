import { m } from '#lib/messages/messages.js'
import { positionName, stageName } from './calculator-words.ts'
import { formatFigure, formatShare } from './format-figures.ts'
import { planGoal, type Goal } from './plan-goal.ts'
import { nextPosition, rateOf, type PositionId } from './positions.ts'

/** The same goal one promotion up, compared per month. */
export function WhatIf({ goal }: { goal: Goal }) {
  const next = nextPosition(goal.position)
  return (
    <section
      aria-labelledby="what-if"
      className="rounded-card border border-line bg-card p-4 shadow-card"
    >
      <h2 id="what-if" className="font-semibold">
        {m.calculator_what_if()}
      </h2>
      {next ? (
        <Comparison goal={goal} next={next} />
      ) : (
        <p className="mt-1 text-small text-muted">{m.calculator_what_if_top()}</p>
      )}
    </section>
  )
}

function Comparison({ goal, next }: { goal: Goal; next: PositionId }) {
  const now = planGoal(goal)
  const then = planGoal({ ...goal, position: next })
  return (
    <>
      <p className="text-small text-muted">
        {m.calculator_what_if_text({ position: positionName[next]() })}, {m.calculator_per_month()}
      </p>
      <table className="mt-2 w-full table-fixed border-collapse text-small tabular-nums">
        <caption className="sr-only">
          {m.calculator_what_if_text({ position: positionName[next]() })}
        </caption>
        <thead>
          <tr className="align-bottom text-caption text-muted">
            <th scope="col" className="py-2 text-left">
              <span className="sr-only">{m.calculator_column_stage()}</span>
            </th>
            <PositionHead position={goal.position} />
            <PositionHead position={next} />
          </tr>
        </thead>
        <tbody>
          {now.map(({ stage, month }, index) => (
            <tr key={stage} className="border-t border-line">
              <th scope="row" className="py-2.5 text-left font-normal wrap-anywhere hyphens-auto">
                {stageName[stage]()}
              </th>
              <td className="py-2.5 pl-2 text-right">{formatFigure(stage, month)}</td>
              <td className="py-2.5 pl-2 text-right font-bold text-success">
                {formatFigure(stage, then[index]?.month ?? 0)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function PositionHead({ position }: { position: PositionId }) {
  return (
    <th scope="col" className="py-2 pl-2 text-right font-semibold">
      {m.calculator_what_if_now({
        position: positionName[position](),
        rate: formatShare(rateOf(position)),
      })}
    </th>
  )
}
