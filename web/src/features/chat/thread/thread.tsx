import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Chat } from '#features/chat/chat-queries.ts'
import { useOutboxEntries } from '#features/chat/outbox/member-outbox.ts'
import { usePermissions } from '#features/chat/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/notify-error.ts'
import { useUserId } from '#lib/session.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { Composing } from './composing.ts'
import { Composer } from './composer.tsx'
import { MessageList } from './message-list.tsx'
import { messagesQuery } from './message-queries.ts'
import { NoSendPermission } from './no-send-permission.tsx'
import { OfflineNote } from './offline-note.tsx'
import { ThreadHeader } from './thread-header.tsx'
import { useJump } from './use-jump.ts'
import { useLiveThread } from './use-live-thread.ts'
import { useChatLife } from './use-chat-life.ts'
import { useThreadCopy } from './use-thread-copy.ts'
import { useReadMark } from './use-read-mark.ts'

/** The open chat: header, messages, composer. */
export function Thread({ chat }: { chat: Chat }) {
  const memberId = useUserId()
  const { canSendMessages } = usePermissions()
  const query = useQuery(messagesQuery(chat.id, memberId))
  const pending = useOutboxEntries(memberId).filter((entry) => entry.chatId === chat.id)
  const [address] = useSearchParams()
  const jump = useJump(chat.id, address.get('message'))
  const lastReadAt = useReadMark(chat.id, query.data)
  const [composing, setComposing] = useState<Composing>({ kind: 'new' })
  const { typingIds, hereIds } = useChatLife(chat.id)
  useLiveThread(chat.id)
  useThreadCopy(chat.id, query.data)

  return (
    <div className="flex h-full flex-col">
      <ThreadHeader chat={chat} hereCount={hereIds.length} />
      <div className="relative min-h-0 flex-1">
        {query.data ? (
          <MessageList
            chat={chat}
            window={query.data}
            pending={pending}
            lastReadAt={lastReadAt}
            jump={jump}
            typingIds={typingIds}
            onCompose={setComposing}
          />
        ) : (
          <Unloaded error={query.error} onRetry={() => void query.refetch()} />
        )}
      </div>
      <OfflineNote copiedAt={query.data?.copiedAt} />
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

function Unloaded({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error) {
    return (
      <ErrorState text={`${m.chat_error_loading_chat()}: ${messageOf(error)}`} onRetry={onRetry} />
    )
  }
  return (
    <div className="p-5">
      <SkeletonRows />
    </div>
  )
}
