import { ArrowUp, ChevronsDown } from 'lucide-react'
import { useMemberName } from '#features/chat/model/member-names.ts'
import { dayLabel } from '#lib/i18n/day-label.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import { Badge, cappedCount } from '#ui/badge.tsx'
import { classNames } from '#ui/class-names.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { Pressable } from '#ui/pressable.tsx'
import type { TopOfView } from './top-of-view.ts'

const PILL =
  'rounded-full border border-line bg-card px-3 py-1 text-caption font-semibold shadow-float'

type FloatingNotesProps = {
  top: TopOfView | null
  /** In a chat of two, the side says who wrote. */
  showsName: boolean
  /** Messages that were unread on arrival, once their beginning was scrolled past. */
  newCount: number
  onToFirstNew: () => void
}

/** Over the top of the messages: the day and sender scrolled past, and the way to the first new message. */
export function FloatingNotes({ top, showsName, newCount, onToFirstNew }: FloatingNotesProps) {
  return (
    <div className="pointer-events-none absolute inset-x-0 top-2 flex items-center gap-2 px-thread">
      {top && <Whereabouts top={top} showsName={showsName} />}
      {newCount > 0 && (
        <Pressable
          onClick={onToFirstNew}
          title={m.chat_to_first_new()}
          className="pointer-events-auto -my-2 ml-auto grid flex-none min-h-target place-items-center"
        >
          <span className={classNames(PILL, 'flex items-center gap-1 text-danger-text')}>
            <ArrowUp aria-hidden="true" className="size-3.5" />
            {m.chat_new_count({ count: cappedCount(newCount) })}
          </span>
        </Pressable>
      )}
    </div>
  )
}

/** Hidden from screen readers, which read both with the message. */
function Whereabouts({ top, showsName }: { top: TopOfView; showsName: boolean }) {
  const now = useNow()
  const name = useMemberName(showsName ? top.senderId : null)
  return (
    <p aria-hidden="true" className={classNames(PILL, 'mx-auto min-w-0 truncate text-muted')}>
      {dayLabel(top.date, now)}
      {name && ` · ${name}`}
    </p>
  )
}

/** Back to the latest message, with the number of new ones on the way; beside the messages where there is room. */
export function ToLatestButton({ newCount, onClick }: { newCount: number; onClick: () => void }) {
  return (
    <div className="absolute right-[max(--spacing(4),(100%-var(--width-thread))/2---spacing(16))] bottom-4">
      <IconButton
        label={m.chat_to_latest()}
        icon={<ChevronsDown />}
        onClick={onClick}
        className="animate-appear rounded-full! shadow-float"
      />
      <Badge
        count={newCount}
        label={m.chat_new_count({ count: cappedCount(newCount) })}
        className="pointer-events-none absolute -top-2 -right-1"
      />
    </div>
  )
}
