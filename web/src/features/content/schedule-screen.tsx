import { useQuery } from '@tanstack/react-query'
import { ArrowDown, CalendarDays } from 'lucide-react'
import { timeZoneName } from '#domain/time-zones.ts'
import { viewerZone } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { CardGrid } from '#ui/card-grid.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { ContentList } from './content-list.tsx'
import { NothingYet } from './nothing-yet.tsx'
import { scheduleQuery, teamTimeZoneQuery, type ScheduledMeeting } from './content-queries.ts'
import { NextLabel } from './next-label.tsx'
import { MeetingCard } from './meeting-card.tsx'
import { nextMeeting, nextOccurrence } from './next-meeting.ts'
import { sortMeetings } from './meeting.ts'
import { useNow } from '#lib/use-now.ts'
import { offsetMinutes } from './zoned-time.ts'

const TABLES = ['schedule_content', 'team_settings']

/** The weekly meetings, Monday to Sunday, in the team's time and, where it differs, the viewer's. */
export function ScheduleScreen() {
  const query = useQuery(scheduleQuery())
  const zone = useQuery(teamTimeZoneQuery())
  return (
    <Screen refreshes={TABLES} wide header={<PageHeader title={m.content_schedule()} />}>
      <ContentList
        query={query}
        errorText={m.content_error_schedule()}
        empty={
          <NothingYet
            type="schedule"
            picture={<CalendarDays />}
            title={m.content_no_events()}
            text={m.content_no_events_text()}
          />
        }
      >
        {(meetings) =>
          // The zone decides what is above the list; rendering before it is known would make the list jump.
          zone.isPending ? (
            <SkeletonCards className="h-64" />
          ) : (
            <Week meetings={meetings} zone={zone.data?.data} />
          )
        }
      </ContentList>
    </Screen>
  )
}

/** If the team's zone fails to load, the stored times are still shown; only derived times are left out. */
function Week({ meetings, zone }: { meetings: ScheduledMeeting[]; zone: string | undefined }) {
  const now = useNow()
  const next = zone ? nextMeeting(meetings, zone, now) : undefined
  const isElsewhere = zone && offsetMinutes(now, zone) !== offsetMinutes(now, viewerZone())
  return (
    <>
      {zone && (
        <p className="text-small text-muted">
          {m.content_times_in({ zone: timeZoneName(zone) })}{' '}
          {isElsewhere && m.content_times_yours()}
        </p>
      )}
      {next && (
        <a
          href={`#${next.meeting.id}`}
          className="flex min-h-14 items-center gap-3 rounded-card border border-line bg-card px-4 py-2.5 shadow-card hover:bg-tint"
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate font-semibold">{next.meeting.title}</span>
            <NextLabel occurrence={next} now={now} />
          </span>
          <ArrowDown aria-hidden="true" className="size-5 flex-none text-muted" />
        </a>
      )}
      <CardGrid>
        {sortMeetings(meetings).map((meeting) => (
          <div key={meeting.id} id={meeting.id} className="grid scroll-mt-4">
            <MeetingCard
              meeting={meeting}
              zone={zone}
              now={now}
              occurrence={zone ? nextOccurrence(meeting, zone, now) : undefined}
              isNext={meeting.id === next?.meeting.id}
            />
          </div>
        ))}
      </CardGrid>
    </>
  )
}
