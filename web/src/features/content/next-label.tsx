import { m } from '#lib/messages/messages.js'
import { timeUntil } from './format-times.ts'
import type { Occurrence } from './next-meeting.ts'

const LOOK = 'text-note font-semibold text-success'

/** "Happening now", or "Next meeting · in 2 h 10 min". */
export function NextLabel({ occurrence, now }: { occurrence: Occurrence; now: number }) {
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
