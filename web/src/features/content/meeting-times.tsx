import { Clock } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { timeRange, weekdayAt } from './format-times.ts'
import { minutesOf, type Meeting } from './meeting.ts'
import type { Occurrence } from './next-meeting.ts'
import { offsetMinutes, viewerZone } from './zoned-time.ts'

type Props = { meeting: Meeting; zone: string | undefined; occurrence: Occurrence | undefined }

/** The team's time, and below it the viewer's with its weekday where that is another. */
export function MeetingTimes({ meeting, zone, occurrence }: Props) {
  const own = viewerZone()
  const isElsewhere =
    zone &&
    occurrence &&
    offsetMinutes(occurrence.start, zone) !== offsetMinutes(occurrence.start, own)
  return (
    <div className="flex items-start gap-2">
      <Clock aria-hidden="true" className="mt-0.5 size-5 flex-none text-muted" />
      <div className="tabular-nums">
        <p className="font-semibold">{writtenRange(meeting)}</p>
        {isElsewhere && (
          <p className="text-[15px] text-muted">
            {m.content_your_time({
              time: `${weekdayAt(occurrence.start, own)}, ${timeRange(occurrence.start, occurrence.end, own)}`,
            })}
          </p>
        )}
      </div>
    </div>
  )
}

/** The range as it was entered, which needs no zone at all. */
function writtenRange({ start_time, end_time }: Meeting): string {
  const moment = (time: string) => Date.UTC(2026, 0, 5, 0, minutesOf(time))
  return timeRange(moment(start_time), moment(end_time), 'UTC')
}
