import { m } from '#lib/messages/messages.js'
import { shortStageName, stageName } from './calculator-words.ts'
import { formatFigure, formatNumber } from './format-figures.ts'
import type { NextStep, Pace, StagePace } from './pace.ts'

/** "9 of 13 appts" per stage; screen readers get the full name. */
export function WeekFigures({ stages }: { stages: StagePace[] }) {
  return (
    <ul className="mt-2.5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,4.5rem),1fr))] text-center">
      {stages.map(({ stage, done, target }) => (
        <li key={stage}>
          <span className="sr-only">
            {m.calculator_week_stage_label({
              stage: stageName[stage](),
              done: formatNumber(done),
              target: formatFigure(stage, target),
            })}
          </span>
          <span aria-hidden="true">
            <span className="block text-figure font-bold tabular-nums">{formatNumber(done)}</span>
            <span className="block text-note text-muted">
              {m.calculator_week_of({
                target: formatFigure(stage, target),
                stage: shortStageName[stage]?.() ?? '',
              })}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** One calm line: where the member stands, and what to do next. */
export function PaceLine({ pace, next }: { pace: Pace; next: NextStep | undefined }) {
  return (
    <p className="mt-2.5 text-center text-small text-muted" aria-live="polite">
      {paceText(pace, next)}
    </p>
  )
}

export function paceText(pace: Pace, next: NextStep | undefined): string {
  if (pace === 'ahead') return m.calculator_pace_ahead()
  if (!next) return m.calculator_pace_on_track()
  const step = { stage: stageName[next.stage](), count: formatNumber(next.count) }
  return pace === 'behind' ? m.calculator_pace_catch_up(step) : m.calculator_pace_today(step)
}
