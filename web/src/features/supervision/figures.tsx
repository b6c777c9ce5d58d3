import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { BYTE_ORDER_MARK, csvLine } from '#lib/csv.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { saveFile } from '#lib/native/save-file.ts'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { LeaderPicker, type Leader } from './leader-picker.tsx'
import { Sampling } from './sampling.tsx'
import { figuresQuery, type WeekFigures } from './supervision-queries.ts'

const WEEKS = 26

const COLUMNS: { name: () => string; of: (week: WeekFigures) => number | null }[] = [
  { name: m.supervision_messages, of: (week) => week.messages },
  { name: m.supervision_source_lexicon, of: (week) => week.lexicon },
  { name: m.supervision_source_sample, of: (week) => week.sample },
  { name: m.supervision_source_report, of: (week) => week.report },
  { name: m.supervision_reviewed, of: (week) => week.reviewed },
  { name: m.supervision_fine, of: (week) => week.fine },
  { name: m.supervision_follow_up, of: (week) => week.follow_up },
  { name: m.supervision_violation, of: (week) => week.violation },
  { name: m.supervision_median_hours, of: (week) => week.median_hours },
  { name: m.supervision_still_open, of: (week) => week.open },
]

/**
 * The figures of each week, for the written record of supervision, of the team or of a leader's line, and the share of
 * the sample.
 */
export function Figures() {
  const [leader, setLeader] = useState<Leader | null>(null)
  const [isChoosing, setIsChoosing] = useState(false)
  const { data, error, refetch } = useQuery(figuresQuery(WEEKS, leader?.id ?? null))
  const weeks = data && withoutEmptyBeginning(data)
  return (
    <>
      <Sampling />
      <section className="grid grid-cols-1 gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 className="min-w-0 font-semibold wrap-anywhere">
            {leader ? m.supervision_by_week_of({ name: leader.name }) : m.supervision_by_week()}
          </h2>
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              variant="tint"
              onClick={() => (leader ? setLeader(null) : setIsChoosing(true))}
            >
              {leader ? m.supervision_figures_all() : m.supervision_figures_pick()}
            </Button>
            <Button
              size="sm"
              variant="tint"
              disabled={!weeks}
              onClick={() =>
                void saveFigures(weeks ?? [], leader).catch((failure: unknown) =>
                  showError(m.supervision_error_saving(), failure),
                )
              }
            >
              <Download aria-hidden="true" className="size-4" />
              {m.supervision_download()}
            </Button>
          </div>
        </div>
        {isChoosing && (
          <LeaderPicker
            title={m.supervision_figures_pick()}
            description={m.supervision_figures_pick_text()}
            onClose={() => setIsChoosing(false)}
            onPick={setLeader}
          />
        )}
        {!weeks && !error && <SkeletonCards />}
        {!weeks && error && (
          <LoadError
            error={error}
            describe={(message) => m.supervision_error({ message })}
            onRetry={() => void refetch()}
          />
        )}
        {weeks?.map((week) => (
          <WeekCard key={week.week} week={week} />
        ))}
      </section>
    </>
  )
}

/** Without the weeks before anything was written; at least the newest week. */
function withoutEmptyBeginning(weeks: WeekFigures[]): WeekFigures[] {
  const oldest = weeks.findLastIndex((week) => COLUMNS.some(({ of }) => Boolean(of(week))))
  return weeks.slice(0, Math.max(oldest, 0) + 1)
}

function WeekCard({ week }: { week: WeekFigures }) {
  const day = new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'medium', timeZone: 'UTC' })
  return (
    <Card className="grid gap-3">
      <h3 className="font-semibold">
        {m.supervision_week()} {day.format(new Date(week.week))}
      </h3>
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,7rem),1fr))] gap-3">
        {COLUMNS.map(({ name, of }) => {
          const figure = of(week)
          return (
            <div key={name()} className="flex flex-col-reverse justify-end">
              <dt className="text-note wrap-anywhere text-muted">{name()}</dt>
              <dd className="font-semibold tabular-nums">
                {figure === null ? '–' : formatCount(figure)}
              </dd>
            </div>
          )
        })}
      </dl>
    </Card>
  )
}

/** As a part of a file's name. */
const fileWord = (name: string) => name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')

async function saveFigures(weeks: WeekFigures[], leader: Leader | null): Promise<void> {
  const line = leader ? [leader.name] : []
  const lines = [
    csvLine([
      ...line.map(() => m.supervision_line()),
      m.supervision_week(),
      ...COLUMNS.map(({ name }) => name()),
    ]),
    ...weeks.map((week) =>
      csvLine([...line, week.week, ...COLUMNS.map(({ of }) => String(of(week) ?? ''))]),
    ),
  ]
  const file = new Blob([BYTE_ORDER_MARK, ...lines])
  await saveFile(
    `${[m.supervision_file_name(), leader && fileWord(leader.name), weeks[0]?.week].filter(Boolean).join('-')}.csv`,
    file,
    'text/csv;charset=utf-8',
  )
}
