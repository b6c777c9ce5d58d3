import type { ReactNode } from 'react'
import type { ChatSummary } from '#features/chat/model/chat-types.ts'
import { useOwnChoices } from '#features/chat/parts/use-chat-menu-items.tsx'
import { useUnreadMark } from '#features/chat/parts/use-unread-mark.ts'
import { m } from '#lib/messages/messages.js'
import { classNames } from '#ui/class-names.ts'
import type { MenuItem } from '#ui/menu.tsx'
import { showToast } from '#ui/toast-store.ts'
import { useSwipe } from '#ui/use-swipe.ts'

type SwipeableCardProps = { chat: ChatSummary; children: ReactNode }

/** On touch, a swipe to the left archives the chat, one to the right marks it as read or unread. Its menu has both too. */
export function SwipeableCard({ chat, children }: SwipeableCardProps) {
  const { unread, archive } = useOwnChoices(chat)
  const { isUnread, mark } = useUnreadMark(chat)

  function changeMark() {
    void mark(!isUnread)
    showToast(isUnread ? m.chat_read_notice() : m.chat_unread_notice(), () => void mark(isUnread))
  }

  const { shift, isEnough, handlers } = useSwipe({
    onLeft: archive?.onSelect,
    onRight: changeMark,
  })
  const shown = shift < 0 ? archive : shift > 0 ? unread : undefined
  return (
    <div {...handlers} className="relative touch-pan-y overflow-x-clip">
      {shown && <Behind item={shown} isLeft={shift < 0} isEnough={isEnough} />}
      <div
        className={classNames('relative bg-surface', shift === 0 && 'transition-transform')}
        style={{ transform: shift === 0 ? undefined : `translateX(${shift}px)` }}
      >
        {children}
      </div>
    </div>
  )
}

type BehindProps = { item: MenuItem; isLeft: boolean; isEnough: boolean }

/** What lifting the finger does. The menu says it to screen readers. */
function Behind({ item, isLeft, isEnough }: BehindProps) {
  return (
    <div
      aria-hidden="true"
      className={classNames(
        'absolute inset-y-0.5 flex w-28 flex-col items-center justify-center gap-1 rounded-field px-2 text-center text-caption font-semibold [&_svg]:size-5',
        isLeft ? 'right-0' : 'left-0',
        isEnough ? 'bg-primary text-primary-ink' : 'bg-tint text-ink',
      )}
    >
      {item.icon}
      {item.label}
    </div>
  )
}
