import { useQuery } from '@tanstack/react-query'
import { CalendarDays } from 'lucide-react'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { teamZoneQuery } from '#domain/team-zone.ts'
import { timeZoneName } from '#domain/time-zones.ts'
import { WEEKDAYS, weekdayName } from '#domain/weekdays.ts'
import { viewerZone } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { ContentList } from './content-list.tsx'
import { NothingYet } from './nothing-yet.tsx'
import { scheduleQuery, type ScheduledMeeting } from './content-queries.ts'
import { MeetingCard } from './meeting-card.tsx'
import { NextMeetingCard } from './next-meeting-card.tsx'
import { nextMeeting, nextOccurrence } from './next-meeting.ts'
import { sortMeetings } from './meeting.ts'
import { useNow } from '#lib/use-now.ts'
import { offsetMinutes, wallClock, weekdayIndex } from './zoned-time.ts'

const TABLES = ['schedule_content', 'team_settings']

/** The weekly meetings, Monday to Sunday, in the team's time and, where it differs, the viewer's. */
export function ScheduleScreen() {
  const query = useQuery(scheduleQuery())
  const { copiedAt } = useCopyState(scheduleQuery())
  const zone = useQuery(teamZoneQuery())
  return (
    <Screen refreshes={TABLES} wide header={<PageHeader title={m.content_schedule()} />}>
      <ContentList
        query={query}
        copiedAt={copiedAt}
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
            <SkeletonCards className="h-52" />
          ) : (
            <Week meetings={meetings} zone={zone.data} />
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
  const today = zone && WEEKDAYS[weekdayIndex(wallClock(now, zone))]
  const sorted = sortMeetings(meetings)
  const days = WEEKDAYS.filter((day) => sorted.some(({ day_of_week }) => day_of_week === day))
  return (
    <>
      {zone && (
        <p className="text-small text-muted">
          {m.content_times_in({ zone: timeZoneName(zone) })}{' '}
          {isElsewhere && m.content_times_yours()}
        </p>
      )}
      <NextMeetingCard />
      {/* A day follows below another, then beside it, so that few meetings leave no holes. */}
      <div className="-mb-stack gap-stack md:columns-[22rem]">
        {days.map((day) => (
          <section
            key={day}
            aria-labelledby={`day-${day}`}
            className="grid break-inside-avoid grid-cols-1 gap-2.5 pb-stack"
          >
            <h2 id={`day-${day}`} className="font-bold">
              {weekdayName(day)}
              {day === today && <span className="font-normal text-muted"> · {m.ui_today()}</span>}
            </h2>
            {sorted
              .filter(({ day_of_week }) => day_of_week === day)
              .map((meeting) => (
                <MeetingCard
                  key={meeting.id}
                  meeting={meeting}
                  zone={zone}
                  now={now}
                  occurrence={zone ? nextOccurrence(meeting, zone, now) : undefined}
                  isNext={meeting.id === next?.meeting.id}
                />
              ))}
          </section>
        ))}
      </div>
    </>
  )
}
