import { CalendarPlus, Video } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { weekdayName } from '#lib/weekdays.ts'
import { Button, buttonLook } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { ContentImage } from './content-image.tsx'
import type { ScheduledMeeting } from './content-queries.ts'
import { CopyableDetail } from './copyable-detail.tsx'
import { downloadCalendarFile } from './download-calendar-file.ts'
import { MeetingTimes } from './meeting-times.tsx'
import { NextLabel } from './next-label.tsx'
import type { Occurrence } from './next-meeting.ts'

type Props = {
  meeting: ScheduledMeeting
  zone: string | undefined
  now: number
  occurrence: Occurrence | undefined
  isNext: boolean
}

export function MeetingCard({ meeting, zone, now, occurrence, isNext }: Props) {
  return (
    <article
      className={`flex flex-col overflow-hidden rounded-card border bg-card shadow-card ${isNext ? 'border-primary ring-2 ring-primary' : 'border-line'}`}
    >
      {meeting.image_url && (
        <ContentImage
          url={meeting.image_url}
          alt={meeting.image_alt}
          title={meeting.title}
          className="h-36 w-full"
        />
      )}
      <div className="flex flex-1 flex-col gap-2.5 p-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Chip>{weekdayName(meeting.day_of_week)}</Chip>
          {isNext && occurrence && <NextLabel occurrence={occurrence} now={now} />}
        </div>
        <h2 className="text-lead font-bold wrap-anywhere">{meeting.title}</h2>
        {meeting.description && (
          <p className="whitespace-pre-line wrap-anywhere text-muted">{meeting.description}</p>
        )}
        <MeetingTimes meeting={meeting} zone={zone} occurrence={occurrence} />
        <div className="mt-auto flex flex-wrap gap-2 pt-1">
          {meeting.meeting_id && (
            <CopyableDetail name={m.content_meeting_id()} value={meeting.meeting_id} />
          )}
          {meeting.meeting_password && (
            <CopyableDetail name={m.content_password()} value={meeting.meeting_password} />
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {meeting.url && <JoinLink meeting={meeting} url={meeting.url} />}
          {zone && (
            <Button
              variant="ghost"
              className="flex-1 basis-44"
              aria-label={m.content_add_to_calendar_label({ title: meeting.title })}
              onClick={() => downloadCalendarFile(meeting, zone)}
            >
              <CalendarPlus aria-hidden="true" className="size-5" />
              {m.content_add_to_calendar()}
            </Button>
          )}
        </div>
      </div>
    </article>
  )
}

function JoinLink({ meeting, url }: { meeting: ScheduledMeeting; url: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`${m.content_join()}: ${meeting.title} (${m.content_opens_new_tab()})`}
      className={`${buttonLook('primary')} flex-1 basis-52`}
    >
      <Video aria-hidden="true" className="size-5" />
      {m.content_join()}
    </a>
  )
}
