import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { setHidden } from '#features/chat/model/chat-actions.ts'
import { hiddenChatsQuery } from '#features/chat/model/chat-queries.ts'
import { refreshChats } from '#features/chat/model/show-undo.ts'
import { ChatAvatar } from '#features/chat/parts/chat-avatar.tsx'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { TextButton } from '#ui/text-button.tsx'

/** The number of hidden chats, with a button that lists them. */
export function HiddenChatsNote() {
  const { data: profile } = useQuery(ownProfileQuery(useUserId()))
  const [isOpen, setIsOpen] = useState(false)
  const count = profile?.hidden_chats?.length ?? 0
  return (
    <>
      {count > 0 && (
        <p className="flex items-center justify-center gap-1 pt-3 pb-7 text-note text-muted">
          {m.chat_hidden_count({ count })} ·
          <TextButton onClick={() => setIsOpen(true)}>{m.chat_hidden_show()}</TextButton>
        </p>
      )}
      <Modal open={isOpen} onClose={() => setIsOpen(false)} title={m.chat_hidden_title()}>
        <HiddenChats />
      </Modal>
    </>
  )
}

function HiddenChats() {
  const memberId = useUserId()
  const { data: chats, error, refetch } = useQuery(hiddenChatsQuery(memberId))

  function show(chatId: string) {
    setHidden(memberId, chatId, false)
      .then(refreshChats)
      .catch((failure: unknown) => showError(m.chat_error_changing(), failure))
  }

  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!chats) return <SkeletonRows count={2} />
  if (chats.length === 0) return <p className="text-muted">{m.chat_hidden_none()}</p>
  return (
    <ul className="grid grid-cols-1 gap-2">
      {chats.map((chat) => (
        <li key={chat.chat_id} className="flex items-center gap-3">
          <ChatAvatar
            type={chat.type}
            title={chat.title}
            seed={chat.other_user_id ?? chat.chat_id}
            isSmall
          />
          <span className="min-w-0 flex-1 truncate font-medium">{chat.title}</span>
          <Button
            variant="ghost"
            size="sm"
            aria-label={m.chat_unhide_of({ title: chat.title })}
            onClick={() => show(chat.chat_id)}
          >
            {m.chat_unhide()}
          </Button>
        </li>
      ))}
    </ul>
  )
}
