import type { ReactNode } from 'react'
import { clockTime } from '#domain/clock-time.ts'
import { viewerZone } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { timeRange, weekdayAt } from './format-times.ts'
import type { Meeting } from './meeting.ts'
import type { Occurrence } from './next-meeting.ts'
import { offsetMinutes } from './zoned-time.ts'

type Props = {
  meeting: Meeting
  zone: string | undefined
  occurrence: Occurrence | undefined
  /** Next to the team's time. */
  children: ReactNode
}

/** The team's time, and below it the viewer's where it differs, with its weekday. */
export function MeetingTimes({ meeting, zone, occurrence, children }: Props) {
  const own = viewerZone()
  const isElsewhere =
    zone &&
    occurrence &&
    offsetMinutes(occurrence.start, zone) !== offsetMinutes(occurrence.start, own)
  return (
    <div className="tabular-nums">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="font-semibold">{`${clockTime(meeting.start_time)} – ${clockTime(meeting.end_time)}`}</p>
        {children}
      </div>
      {isElsewhere && (
        <p className="text-small text-muted">
          {m.content_your_time({
            time: `${weekdayAt(occurrence.start, own)}, ${timeRange(occurrence.start, occurrence.end, own)}`,
          })}
        </p>
      )}
    </div>
  )
}
