import { m } from '#lib/messages/messages.js'
import { positionName } from './calculator-words.ts'
import { formatRate, formatShare } from './format-figures.ts'
import { planGoal, type Goal } from './plan-goal.ts'
import { nextPosition, rateOf, type PositionId } from './positions.ts'
import { StageTable } from './stage-table.tsx'

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
      <div className="mt-2">
        <StageTable
          caption={m.calculator_what_if_text({ position: positionName[next]() })}
          columns={[goal.position, next].map(positionWithRate)}
          columnClassName="w-1/3"
          rows={now.map(({ stage, month }, index) => ({
            stage,
            figures: [
              { text: formatRate(stage, month, 'month') },
              {
                text: formatRate(stage, then[index]?.month ?? 0, 'month'),
                className: 'font-bold text-success',
              },
            ],
          }))}
        />
      </div>
    </>
  )
}

function positionWithRate(position: PositionId): string {
  return m.calculator_what_if_now({
    position: positionName[position](),
    rate: formatShare(rateOf(position)),
  })
}
