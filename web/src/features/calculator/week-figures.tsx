import { m } from '#lib/messages/messages.js'
import { paceName, shortStageName, stageName } from './calculator-words.ts'
import { formatFigure, formatNumber } from './format-figures.ts'
import type { Pace, StagePace } from './pace.ts'

const LOOKS: Record<Pace, string> = {
  behind: 'text-warning',
  on_track: 'text-success',
  ahead: 'text-success',
}

export function PaceLabel({ pace }: { pace: Pace }) {
  return <span className={`text-note font-semibold ${LOOKS[pace]}`}>{paceName[pace]()}</span>
}

/** "9 of 13 appts" per stage; read out with the stage's full name and its pace. */
export function WeekFigures({ stages }: { stages: StagePace[] }) {
  return (
    <ul className="mt-2.5 grid auto-cols-fr grid-flow-col text-center">
      {stages.map(({ stage, done, target, pace }) => (
        <li key={stage}>
          <span className="sr-only">
            {m.calculator_week_stage_label({
              stage: stageName[stage](),
              done: formatNumber(done),
              target: formatFigure(stage, target),
              pace: paceName[pace](),
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
            <span className={`block text-caption font-semibold ${LOOKS[pace]}`}>
              {paceName[pace]()}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
