import { dayLabel } from '#lib/i18n/day-label.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'

export function DaySeparator({ date }: { date: string }) {
  const now = useNow()
  return (
    <div className="flex justify-center py-2">
      <span className="rounded-full bg-tint px-3 py-1 text-caption font-semibold text-muted">
        {dayLabel(date, now)}
      </span>
    </div>
  )
}

export function NewMessagesLine() {
  return (
    <div className="flex items-center gap-2.5 py-1.5 text-caption font-semibold text-danger-text">
      <span className="h-px flex-1 bg-danger/40" />
      {m.chat_new_messages()}
      <span className="h-px flex-1 bg-danger/40" />
    </div>
  )
}
