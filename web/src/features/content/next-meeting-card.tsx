import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatClockTime } from '#domain/clock-time.ts'
import { teamZoneQuery } from '#domain/team-zone.ts'
import { viewerZone } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import { buttonLook } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { scheduleQuery } from './content-queries.ts'
import { timeRange, timeUntil, weekdayAt } from './format-times.ts'
import { nextMeeting } from './next-meeting.ts'

/**
 * The next meeting in the viewer's own time, and the way into it. Renders nothing without a schedule or on
 * error; the Schedule screen reports what went wrong.
 */
export function NextMeetingCard() {
  const now = useNow()
  const { data: meetings, isPending: isWaiting } = useQuery(scheduleQuery())
  const { data: zone, isPending: isWaitingForZone } = useQuery(teamZoneQuery())
  const next = meetings && zone ? nextMeeting(meetings, zone, now) : undefined
  if (isWaiting || isWaitingForZone) return <Skeleton className="h-21 rounded-card" />
  if (!next) return null
  const own = viewerZone()
  const { meeting, start, end, isNow } = next
  const when = isNow ? m.content_now() : m.content_in({ time: timeUntil(start, now) })
  return (
    <Card className="flex flex-wrap items-center gap-3.5">
      <p
        aria-hidden="true"
        className="min-w-15 flex-none px-1.5 rounded-field bg-tint py-2 text-center leading-tight font-semibold text-primary"
      >
        <span className="block text-note uppercase">{weekdayAt(start, own, 'short')}</span>
        <span className="block text-lead font-bold tabular-nums">
          {formatClockTime(start, own).replace(/[^\d:]/g, '')}
        </span>
      </p>
      <Link
        to={`/schedule#${meeting.id}`}
        className="grid min-h-target min-w-0 flex-1 basis-[5rem] content-center"
      >
        <span className="sr-only">{m.content_next_meeting()}: </span>
        <span className="line-clamp-3 font-semibold wrap-anywhere">{meeting.title}</span>
        <span className="sr-only">{weekdayAt(start, own)} </span>
        {/* Where it wraps, the dot is cut off with the margin instead of being left alone in a line. */}
        <span className="block overflow-x-clip text-note text-muted tabular-nums">
          <span className="-ml-3 flex flex-wrap">
            <span className="pl-3">{timeRange(start, end, own)}</span>{' '}
            <span className="whitespace-nowrap before:inline-block before:w-3 before:text-center before:content-['·']">
              {when}
            </span>
          </span>
        </span>
      </Link>
      {meeting.url && (
        <a
          href={meeting.url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={m.content_join_label({ title: meeting.title })}
          className={buttonLook('tint', 'sm')}
        >
          {m.content_join_short()}
        </a>
      )}
    </Card>
  )
}
