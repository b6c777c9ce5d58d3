import { useState } from 'react'
import { calendarDay, dayLabel } from '#lib/i18n/day-label.ts'
import { useNow } from '#lib/use-now.ts'
import { RowList } from '#ui/row-list.tsx'
import type { AuditFilters } from './audit-filters.ts'
import type { AuditEntry } from './audit-queries.ts'
import { EntryRow } from './entry-row.tsx'
import { EntrySheet } from './entry-sheet.tsx'

type Props = { entries: AuditEntry[]; onFilter: (filters: Partial<AuditFilters>) => void }

/** Entries under the day they happened on, newest first. */
export function EntryList({ entries, onFilter }: Props) {
  const now = useNow()
  const [opened, setOpened] = useState<AuditEntry | null>(null)
  return (
    <>
      {daysOf(entries).map(({ day, ofDay }) => (
        <section key={day} aria-labelledby={`day-${day}`} className="grid gap-2">
          <h2 id={`day-${day}`} className="font-semibold">
            {dayLabel(ofDay[0]!.recorded_at, now)}
          </h2>
          <RowList>
            {ofDay.map((entry) => (
              <li key={entry.id}>
                <EntryRow entry={entry} onOpen={() => setOpened(entry)} />
              </li>
            ))}
          </RowList>
        </section>
      ))}
      {opened && (
        <EntrySheet
          entry={opened}
          onClose={() => setOpened(null)}
          onFilter={(filters) => {
            setOpened(null)
            onFilter(filters)
          }}
        />
      )}
    </>
  )
}

function daysOf(entries: AuditEntry[]): { day: string; ofDay: AuditEntry[] }[] {
  const days: { day: string; ofDay: AuditEntry[] }[] = []
  for (const entry of entries) {
    const day = calendarDay(entry.recorded_at)
    const last = days.at(-1)
    if (last?.day === day) last.ofDay.push(entry)
    else days.push({ day, ofDay: [entry] })
  }
  return days
}
