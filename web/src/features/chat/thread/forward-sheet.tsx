import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { VList } from 'virtua'
import { useUserId } from '#data/session/session.ts'
import { chatListQuery } from '#features/chat/model/chat-queries.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import { matchChats } from '#features/chat/model/filter-chats.ts'
import { messageSummary } from '#features/chat/model/message-summary.ts'
import { ChatAvatar } from '#features/chat/parts/chat-avatar.tsx'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { useReach } from '#lib/server/server-reach.ts'
import { Button } from '#ui/button.tsx'
import { CheckRow } from '#ui/check-row.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { showToast } from '#ui/toast-store.ts'
import { forwardMessage } from './forward-message.ts'

const MOST_CHATS = 5

/** Where to send a message again: the member's own chats. */
export function ForwardSheet({ message, onClose }: { message: Message; onClose: () => void }) {
  const memberId = useUserId()
  const isOnline = useReach() === 'online'
  const query = useQuery(chatListQuery(memberId))
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const found = matchChats(query.data ?? [], search, new Set())

  function toggle(id: string) {
    const others = chosen.filter((each) => each !== id)
    setChosen(others.length < chosen.length ? others : [...chosen, id])
  }

  function forward() {
    onClose()
    forwardMessage(message, memberId, chosen)
      .then(() => showToast(isOnline ? m.chat_forwarded_notice() : m.chat_forward_waiting()))
      .catch((error: unknown) => showError(m.chat_error_forwarding(), error))
  }

  return (
    <Modal
      open
      onClose={onClose}
      title={m.chat_forward_title()}
      description={m.chat_forward_limit({ count: formatCount(MOST_CHATS) })}
      footer={
        <Button disabled={chosen.length === 0} onClick={forward}>
          {m.chat_forward()}
        </Button>
      }
    >
      <div className="flex h-[60dvh] flex-col gap-2">
        <p className="line-clamp-2 flex-none rounded-field bg-tint p-3 text-small wrap-anywhere">
          {messageSummary(message)}
        </p>
        <SearchField label={m.chat_forward_search()} value={search} onChange={setSearch} />
        <fieldset className="min-h-0 flex-1">
          <legend className="sr-only">{m.chat_forward_title()}</legend>
          {query.isPending && <SkeletonRows />}
          {query.error && !query.data && (
            <LoadError error={query.error} onRetry={() => void query.refetch()} />
          )}
          {query.data && found.length === 0 && (
            <EmptyState picture={<SearchX />} title={m.chat_no_chats_found()} />
          )}
          {found.length > 0 && (
            <VList data={found} className="h-full">
              {(chat) => (
                <CheckRow
                  key={chat.chat_id}
                  picture={
                    <ChatAvatar
                      type={chat.type}
                      title={chat.title}
                      seed={chat.other_user_id ?? chat.chat_id}
                      isSmall
                    />
                  }
                  title={chat.title}
                  checked={chosen.includes(chat.chat_id)}
                  disabled={chosen.length === MOST_CHATS && !chosen.includes(chat.chat_id)}
                  onChange={() => toggle(chat.chat_id)}
                />
              )}
            </VList>
          )}
        </fieldset>
      </div>
    </Modal>
  )
}
