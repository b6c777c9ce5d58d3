import { m } from '#lib/messages/messages.js'
import { timeUntil } from './format-times.ts'
import type { Occurrence } from './next-meeting.ts'

/** "Happening now", or "Next meeting · in 2 h 10 min". */
export function NextLabel({ occurrence, now }: { occurrence: Occurrence; now: number }) {
  const when = occurrence.isNow
    ? m.content_now()
    : `${m.content_next_meeting()} · ${m.content_in({ time: timeUntil(occurrence.start, now) })}`
  return <span className="text-note font-semibold text-success">{when}</span>
}
