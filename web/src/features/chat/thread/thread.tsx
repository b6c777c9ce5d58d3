import { useQuery } from '@tanstack/react-query'
import { CloudOff, Lock } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Chat } from '#features/chat/chat-queries.ts'
import { useOutboxEntries } from '#features/chat/member-outbox.ts'
import { useCopyState } from '#features/chat/read-or-copy.ts'
import { useIsOnline } from '#features/chat/use-is-online.ts'
import { usePermissions } from '#features/chat/use-permissions.ts'
import { timeSince } from '#lib/i18n/time-since.ts'
import { m } from '#lib/messages/messages.js'
import { useUserId } from '#lib/supabase/session.ts'
import { useNow } from '#lib/use-now.ts'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Composer } from './composer.tsx'
import type { Composing } from './composing.ts'
import { MessageList } from './message-list.tsx'
import { messagesQuery, threadCopy } from './message-queries.ts'
import { ThreadHeader } from './thread-header.tsx'
import { useJump } from './use-jump.ts'
import { useLiveThread } from './use-live-thread.ts'
import { useThreadCopy } from './use-live-thread.ts'
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
  const [composing, setComposing] = useState<Composing>({ kind: 'new' })
  const { showsAge } = useCopyState(threadCopy(chat.id, memberId))
  const { typingIds, hereIds } = useTypingAndPresence(chat.id)
  useLiveThread(chat.id)
  useThreadCopy(chat.id, query.data)

  return (
    <div className="flex h-full flex-col">
      <ThreadHeader chat={chat} hereCount={hereIds.length} />
      <div className="relative min-h-0 flex-1">
        {query.data && opening ? (
          <MessageList
            key={opening.firstUnreadId}
            chat={chat}
            window={query.data}
            pending={pending}
            opening={opening}
            jump={jump}
            typingIds={typingIds}
            onCompose={setComposing}
          />
        ) : (
          <div className="p-5">
            <SkeletonRows />
          </div>
        )}
      </div>
      <OfflineNote copiedAt={showsAge ? query.data?.copiedAt : undefined} />
      {canSendMessages ? (
        <Composer
          key={composing.kind === 'edit' ? composing.message.id : 'new'}
          chat={chat}
          composing={composing}
          onDone={(isNext) => setComposing({ kind: 'new', isNext })}
          onSent={jump.toLatest}
        />
      ) : (
        <NoSendPermission />
      )}
    </div>
  )
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

/** Says that writing works offline, and how old the shown messages are. */
function OfflineNote({ copiedAt }: { copiedAt?: number | undefined }) {
  const now = useNow()
  const isOnline = useIsOnline()
  if (isOnline && !copiedAt) return null
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-2 bg-tint px-4 py-2 text-center text-small text-ink"
    >
      <CloudOff aria-hidden="true" className="size-4 flex-none" />
      <span>
        {copiedAt && `${m.chat_offline_copy({ age: timeSince(copiedAt, now) })} `}
        {!isOnline && m.chat_offline()}
      </span>
    </p>
  )
}
