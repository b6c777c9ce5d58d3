import { CircleAlert, CircleCheck, RefreshCw } from 'lucide-react'
import { timeSince } from '#lib/i18n/time-since.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import type { Finding } from './system-queries.ts'

type Props = {
  needing: Finding[]
  /** Nobody knows about some of it here. */
  isPartial: boolean
  /** When the server was last asked. */
  readAt: number
  isRefreshing: boolean
  onRefresh: () => void
}

/** One line for everything, when it was looked at, and the way to look again. */
export function Summary({ needing, isPartial, readAt, isRefreshing, onRefresh }: Props) {
  const now = useNow()
  const isFine = needing.length === 0
  const fine = isPartial ? m.system_watched_fine() : m.system_all_fine()
  const Picture = isFine ? CircleCheck : CircleAlert
  const isWrong = needing.some(({ state }) => state === 'wrong')
  return (
    <Card className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Picture
        aria-hidden="true"
        className={`size-7 flex-none ${isWrong ? 'text-danger-text' : 'text-primary'}`}
      />
      <div className="min-w-0 flex-1">
        <h2 aria-live="polite" className="text-lead font-semibold">
          {isFine ? fine : m.system_problems({ count: needing.length })}
        </h2>
        <p className="text-note text-muted">{m.system_as_of({ age: timeSince(readAt, now) })}</p>
      </div>
      <Button variant="tint" size="sm" isWaiting={isRefreshing} onClick={onRefresh}>
        <RefreshCw
          aria-hidden="true"
          className={`size-4 ${isRefreshing ? 'motion-safe:animate-spin' : ''}`}
        />
        {m.system_refresh()}
      </Button>
    </Card>
  )
}
