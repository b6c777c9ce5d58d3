import { useQuery } from '@tanstack/react-query'
import { CloudOff, Lock } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { useUserId } from '#data/session/session.ts'
import { useBlockedIds } from '#domain/blocked-people.ts'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import type { Composing } from '#features/chat/model/composing.ts'
import { useNamesAhead } from '#features/chat/model/member-names.ts'
import { messagesQuery } from '#features/chat/model/message-queries.ts'
import type { MessageWindow } from '#features/chat/model/message-window.ts'
import { usePermissions } from '#features/chat/model/use-permissions.ts'
import { useOutboxEntries } from '#features/chat/outbox/member-outbox.ts'
import { timeSince } from '#lib/i18n/time-since.ts'
import { m } from '#lib/messages/messages.js'
import { useReach } from '#lib/server/server-reach.ts'
import { useNow } from '#lib/use-now.ts'
import { BlockedNote } from './blocked-note.tsx'
import { Composer } from './composer.tsx'
import { isOnTouch } from './composer-text.tsx'
import { LoadingMessages } from './loading-thread.tsx'
import { MessageList } from './message-list.tsx'
import { MessageSheets, type AskedSheet } from './message-sheets.tsx'
import { PinBar } from './pin-bar.tsx'
import { ThreadHeader } from './thread-header.tsx'
import { useChatTitle } from './use-chat-title.ts'
import { useJump } from './use-jump.ts'
import { useLiveThread } from './use-live-thread.ts'
import { useOpening } from './use-opening.ts'
import { useReadMark } from './use-read-mark.ts'
import { useTypingAndPresence } from './use-typing-and-presence.ts'

/** The open chat: header, messages, composer. */
export function Thread({ chat }: { chat: Chat }) {
  const memberId = useUserId()
  const { canSendMessages } = usePermissions()
  const query = useQuery(messagesQuery(chat.id, memberId))
  const pending = useOutboxEntries(memberId).filter((entry) => entry.chatId === chat.id)
  const [address] = useSearchParams()
  const linkedId = address.get('message')
  const jump = useJump(chat.id, linkedId)
  const opening = useOpening(chat.id, linkedId)
  useReadMark(chat.id, opening, query.data)
  useNamesAhead(opening && query.data ? sendersOf(query.data, memberId) : [])
  // What is typed next to a chat that was just opened goes there; on a phone that would open the keyboard.
  const [composing, setComposing] = useState<Composing>({ kind: 'new', isNext: !isOnTouch() })
  const [asked, setAsked] = useState<AskedSheet>()
  const { copiedAt } = useCopyState(messagesQuery(chat.id, memberId))
  const { typingIds, hereIds } = useTypingAndPresence(chat.id)
  const blocked = useBlockedIds()
  const { otherId } = useChatTitle(chat)
  const blockedId = chat.type === 'individual' && blocked.find((id) => id === otherId)
  useLiveThread(chat.id)

  return (
    <div className="flex h-full flex-col">
      <ThreadHeader chat={chat} hereCount={hereIds.length} jump={jump} />
      <PinBar chat={chat} onJump={jump.to} />
      <div className="relative min-h-0 flex-1">
        {query.data && opening ? (
          <MessageList
            key={opening.firstUnreadId}
            chat={chat}
            window={query.data}
            pending={pending}
            opening={opening}
            jump={jump}
            typingIds={typingIds.filter((id) => !blocked.includes(id))}
            onCompose={setComposing}
            onAsk={setAsked}
          />
        ) : (
          <LoadingMessages />
        )}
      </div>
      {asked && (
        <MessageSheets
          sheet={asked.sheet}
          // As it is by now: it may have been changed since the menu was open.
          message={query.data?.messages.find(({ id }) => id === asked.message.id) ?? asked.message}
          onClose={() => setAsked(undefined)}
        />
      )}
      <ReachNote copiedAt={copiedAt} />
      {blockedId && <BlockedNote id={blockedId} />}
      {!blockedId && !canSendMessages && <NoSendPermission />}
      {!blockedId && canSendMessages && (
        <Composer
          key={composing.kind === 'edit' ? composing.message.id : 'new'}
          chat={chat}
          composing={composing}
          onDone={(isNext) => setComposing({ kind: 'new', isNext })}
          onSent={jump.toLatest}
        />
      )}
    </div>
  )
}

function sendersOf({ messages }: MessageWindow, memberId: string): string[] {
  return messages.map((message) => message.sender_id).filter((id) => id !== memberId)
}

/** Replaces the composer while an admin has turned sending off (product.md P104). */
function NoSendPermission() {
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-2 border-t border-line bg-card px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] text-center text-small text-muted"
    >
      <Lock aria-hidden="true" className="size-4 flex-none" />
      {m.chat_no_send_permission()}
    </p>
  )
}

/** Without the server: says that writing works all the same, and how old the shown messages are. */
function ReachNote({ copiedAt }: { copiedAt?: number | undefined }) {
  const now = useNow()
  const reach = useReach()
  if (reach === 'online' && !copiedAt) return null
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-2 bg-tint px-4 py-2 text-small text-ink"
    >
      <CloudOff aria-hidden="true" className="size-4 flex-none" />
      <span>
        {copiedAt && `${m.chat_offline_copy({ age: timeSince(copiedAt, now) })} `}
        {reach === 'offline' && m.chat_offline()}
        {reach === 'no-response' && m.chat_no_answer()}
      </span>
    </p>
  )
}
