import { AtSign, BellMinus, BellOff, Pin } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ResultRow } from '#data/database.ts'
import { notificationLevel } from '#domain/chat-muting.ts'
import { memberName } from '#domain/member-name.ts'
import { formatChatTimestamp, formatFullTime } from '#features/chat/model/chat-timestamp.ts'
import type { ChatSummary } from '#features/chat/model/chat-types.ts'
import { useIsMemberOnline } from '#features/chat/model/use-online.ts'
import { ChatAvatar } from '#features/chat/parts/chat-avatar.tsx'
import { formatCount } from '#lib/i18n/format-count.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { useIsInView } from '#lib/use-is-in-view.ts'
import { Badge, cappedCount } from '#ui/badge.tsx'
import { classNames } from '#ui/class-names.ts'
import { LONG_PRESSABLE, useMenuGestures } from '#ui/use-menu-gestures.ts'
import { ChatMenu } from './chat-menu.tsx'
import { LastMessage } from './last-message.tsx'
import { SwipeableCard } from './swipeable-card.tsx'

const SIGN_LOOK = 'size-3.5 flex-none text-muted'

type ChatCardProps = {
  chat: ChatSummary
  now: number
  isOpen: boolean
  /** Why a search brings a group that is called otherwise. */
  found?: ResultRow<'chats_with_member'> | undefined
}

export function ChatCard({ chat, now, isOpen, found }: ChatCardProps) {
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const gestures = useMenuGestures(() => {
    setIsMenuOpen(true)
    return true
  })
  const { ref, isInView } = useIsInView()
  const isOnline = useIsMemberOnline(isInView ? chat.other_user_id : null)
  const time = chat.last_message_at ?? chat.created_at
  return (
    <li
      ref={ref}
      {...gestures}
      className={classNames(
        'group relative border-b border-line select-none last:border-0',
        LONG_PRESSABLE,
      )}
    >
      <SwipeableCard chat={chat}>
        <Link
          to={`/chat/${chat.chat_id}`}
          aria-current={isOpen ? 'page' : undefined}
          className={classNames(
            'my-0.5 flex items-center gap-3 rounded-field px-2 py-2.5 transition active:bg-tint',
            isOpen ? 'bg-tint' : 'hover:bg-tint/60',
          )}
        >
          <ChatAvatar
            type={chat.type}
            title={chat.title}
            seed={chat.other_user_id ?? chat.chat_id}
            isOnline={isOnline}
          />
          <span className="@container min-w-0 flex-1">
            <span className="flex items-baseline gap-x-2 @max-[8rem]:flex-wrap">
              <NameLine chat={chat} isOnline={isOnline} now={now} />
              <time
                dateTime={time}
                title={formatFullTime(time, formatLocale())}
                className="flex-none text-note text-muted tabular-nums"
              >
                {formatChatTimestamp(time, now, formatLocale())}
              </time>
            </span>
            <span className="flex min-h-6 items-center gap-2">
              <span className="min-w-0 flex-1">
                {found ? (
                  <span className="block truncate text-small text-muted">{whyFound(found)}</span>
                ) : (
                  <LastMessage chat={chat} isOpen={isOpen} />
                )}
              </span>
              <Signs chat={chat} />
            </span>
          </span>
        </Link>
      </SwipeableCard>
      <ChatMenu chat={chat} isOpen={isMenuOpen} onOpenChange={setIsMenuOpen} />
    </li>
  )
}

function whyFound({ found, ...member }: ResultRow<'chats_with_member'>): string {
  const name = memberName({ ...member, email: '' })
  if (found === 1) return m.chat_search_member({ name })
  return m.chat_search_members({ name, count: formatCount(found - 1) })
}

type NameLineProps = { chat: ChatSummary; isOnline: boolean; now: number }

/**
 * The chat's name and what tells more of it: whole, or left out where it has no room. With large text on a phone the
 * name takes a second line, and the time one of its own.
 */
function NameLine({ chat, isOnline, now }: NameLineProps) {
  const text = subtitleOf(chat)
  const level = notificationLevel(chat, now)
  return (
    <span className="flex h-[1lh] min-w-0 flex-1 flex-wrap items-baseline overflow-hidden @max-[8rem]:basis-full @max-[12rem]:h-auto">
      <span className="flex max-w-full items-center gap-1">
        <span className="truncate font-semibold @max-[12rem]:line-clamp-2 @max-[12rem]:whitespace-normal">
          {chat.title}
        </span>
        {isOnline && <span className="sr-only"> ({m.chat_online()})</span>}
        {level === 'nothing' && (
          <BellOff role="img" aria-label={m.chat_muted()} className={SIGN_LOOK} />
        )}
        {level === 'mentions' && (
          <BellMinus role="img" aria-label={m.chat_notify_mentions_only()} className={SIGN_LOOK} />
        )}
      </span>
      {text && (
        <span className="max-w-full truncate text-note whitespace-pre text-muted @max-[12rem]:hidden">
          {` · ${text}`}
        </span>
      )}
    </span>
  )
}

/** What is new in the chat, and that it is pinned. */
function Signs({ chat }: { chat: ChatSummary }) {
  return (
    <span className="flex flex-none items-center gap-1 empty:hidden">
      {chat.is_pinned && <Pin role="img" aria-label={m.chat_pinned()} className={SIGN_LOOK} />}
      {chat.is_mentioned && (
        <AtSign role="img" aria-label={m.chat_mentioned()} className="size-4 text-danger-text" />
      )}
      <Badge
        count={chat.unread_count}
        label={m.chat_unread({ count: cappedCount(chat.unread_count) })}
      />
      {chat.unread_count === 0 && chat.is_marked_unread && (
        <span className="m-1.5 size-2.5 rounded-full bg-danger">
          <span className="sr-only">{m.chat_marked_unread()}</span>
        </span>
      )}
    </span>
  )
}

/** How many are in a group; of a person, that they are an admin, else their address. */
function subtitleOf(chat: ChatSummary): string | null {
  if (chat.type !== 'individual') return m.chat_members({ count: formatCount(chat.member_count) })
  return chat.other_is_admin ? m.chat_admin() : chat.other_email
}
