import { CalendarPlus, Copy, Video } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { saveFile } from '#lib/native/save-file.ts'
import { showError } from '#lib/server/notify-error.ts'
import { useLinkedPlace } from '#lib/use-linked-place.ts'
import { buttonLook } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { LinkedText } from '#ui/linked-text.tsx'
import { Thumbnail } from '#ui/opening-image.tsx'
import type { ScheduledMeeting } from './content-queries.ts'
import { timeUntil } from './format-times.ts'
import { MeetingTimes } from './meeting-times.tsx'
import type { Meeting } from './meeting.ts'
import type { Occurrence } from './next-meeting.ts'

const LOOK = 'text-note font-semibold text-success'

type Props = {
  meeting: ScheduledMeeting
  zone: string | undefined
  now: number
  occurrence: Occurrence | undefined
  isNext: boolean
}

/** A meeting in the week's agenda: the time first, then what it is and the ways into it. */
export function MeetingCard({ meeting, zone, now, occurrence, isNext }: Props) {
  const place = useLinkedPlace<HTMLElement>(meeting.id)
  return (
    <article
      {...place}
      className={`flex scroll-mt-4 flex-col gap-2.5 rounded-card border bg-card p-3.5 shadow-card ${isNext ? 'border-primary ring-2 ring-primary' : 'border-line'}`}
    >
      <div className="flex items-start gap-3.5">
        <div className="min-w-0 flex-1">
          <MeetingTimes meeting={meeting} zone={zone} occurrence={occurrence}>
            {isNext && occurrence && <NextLabel occurrence={occurrence} now={now} />}
          </MeetingTimes>
          <h3 className="text-lead font-bold wrap-anywhere">{meeting.title}</h3>
          {meeting.description && (
            <p className="text-small whitespace-pre-line wrap-anywhere text-muted">
              <LinkedText text={meeting.description} />
            </p>
          )}
        </div>
        {meeting.image_url && (
          <Thumbnail src={meeting.image_url} alt={meeting.image_alt} title={meeting.title} />
        )}
      </div>
      {(meeting.meeting_id || meeting.meeting_password) && (
        <div className="flex flex-wrap gap-2">
          {meeting.meeting_id && (
            <CopyableDetail name={m.content_meeting_id()} value={meeting.meeting_id} />
          )}
          {meeting.meeting_password && (
            <CopyableDetail name={m.content_password()} value={meeting.meeting_password} />
          )}
        </div>
      )}
      {(meeting.url || zone) && (
        <div className="flex justify-end gap-2">
          {meeting.url && <JoinLink meeting={meeting} url={meeting.url} isNext={isNext} />}
          {zone && (
            <IconButton
              label={m.content_add_to_calendar_label({ title: meeting.title })}
              title={m.content_add_to_calendar()}
              icon={<CalendarPlus />}
              onClick={() => downloadCalendarFile(meeting, zone)}
            />
          )}
        </div>
      )}
    </article>
  )
}

type JoinLinkProps = { meeting: ScheduledMeeting; url: string; isNext: boolean }

function JoinLink({ meeting, url, isNext }: JoinLinkProps) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`${m.content_join()}: ${meeting.title} (${m.content_opens_new_tab()})`}
      className={`${buttonLook(isNext ? 'primary' : 'tint')} flex-1`}
    >
      <Video aria-hidden="true" className="size-5" />
      {m.content_join()}
    </a>
  )
}

/** "Meeting ID: 123 456" with a button that copies the value. */
function CopyableDetail({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex min-h-target flex-auto items-center rounded-field bg-surface pl-3">
      <p className="min-w-0 flex-1 py-0.5">
        <span className="block text-caption text-muted">
          {name}
          <span className="sr-only">: </span>
        </span>
        <span className="block font-semibold break-all tabular-nums select-all">{value}</span>
      </p>
      <IconButton
        variant="plain"
        icon={<Copy />}
        label={m.content_copy({ what: name })}
        onClick={() => void copyText(value, m.content_copied({ what: name }))}
      />
    </div>
  )
}

/** Passes the file to the device's calendar. The generator is loaded on first use. */
function downloadCalendarFile(meeting: Meeting, zone: string) {
  make(meeting, zone).catch((error: unknown) => showError(m.content_error_calendar(), error))
}

async function make(meeting: Meeting, zone: string) {
  const { calendarFile, calendarFileName } = await import('./calendar-file.ts')
  const file = calendarFile(meeting, zone, Date.now())
  await saveFile(calendarFileName(meeting), file, 'text/calendar;charset=utf-8')
}

/** "Happening now", or "Next meeting · in 2 h 10 min". */
function NextLabel({ occurrence, now }: { occurrence: Occurrence; now: number }) {
  if (occurrence.isNow) return <span className={LOOK}>{m.content_now()}</span>
  return (
    <span className={LOOK}>
      {`${m.content_next_meeting()} · `}
      <span className="whitespace-nowrap">
        {m.content_in({ time: timeUntil(occurrence.start, now) })}
      </span>
    </span>
  )
}
