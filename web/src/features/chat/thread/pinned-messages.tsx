import { PinOff } from 'lucide-react'
import { useUserId } from '#data/session/session.ts'
import type { Chat, Pin } from '#features/chat/model/chat-queries.ts'
import { formatChatTimestamp } from '#features/chat/model/chat-timestamp.ts'
import { useMemberName } from '#features/chat/model/member-names.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { Modal } from '#ui/modal.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { PinnedBy, PinnedText } from './pinned-text.tsx'
import { pinsOf } from './pins.ts'
import { usePins } from './use-pins.ts'

type PinnedMessagesProps = {
  chat: Chat
  onJump: (messageId: string) => void
  onClose: () => void
}

/** Everything that is pinned in a chat, to go to and, for whoever may, to unpin. */
export function PinnedMessages({ chat, onJump, onClose }: PinnedMessagesProps) {
  const pins = pinsOf(chat)
  const { mayPin, unpin } = usePins(chat)

  function jump(messageId: string) {
    onClose()
    onJump(messageId)
  }

  return (
    <Modal open onClose={onClose} title={m.chat_pinned_messages()}>
      {pins.length === 0 && <p className="text-muted">{m.chat_pinned_none()}</p>}
      <ul className="grid grid-cols-1 gap-1">
        {pins.map((pin) => (
          <Row
            key={pin.message_id}
            pin={pin}
            onJump={() => jump(pin.message_id)}
            onUnpin={mayPin ? () => unpin(pin.message_id) : undefined}
          />
        ))}
      </ul>
    </Modal>
  )
}

type RowProps = { pin: Pin; onJump: () => void; onUnpin: (() => void) | undefined }

function Row({ pin, onJump, onUnpin }: RowProps) {
  const now = useNow()
  const { sender_id: senderId, sent_at: sentAt } = pin.message
  const isOwn = senderId === useUserId()
  const senderName = useMemberName(isOwn ? null : senderId)
  const name = isOwn ? m.chat_you() : senderName
  return (
    <li className="flex items-center gap-1">
      <Pressable
        onClick={onJump}
        className="grid min-w-0 flex-1 gap-0.5 rounded-field px-2 py-2 text-left hover:bg-tint"
      >
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>
          <time dateTime={sentAt} className="text-note text-muted tabular-nums">
            {formatChatTimestamp(sentAt, now, formatLocale())}
          </time>
        </span>
        <span className="line-clamp-3 wrap-anywhere">
          <PinnedText pin={pin} />
        </span>
        <span className="truncate text-note text-muted">
          <PinnedBy pin={pin} />
        </span>
      </Pressable>
      {onUnpin && (
        <IconButton
          label={m.chat_unpin_of({ name })}
          icon={<PinOff />}
          variant="quiet"
          onClick={onUnpin}
        />
      )}
    </li>
  )
}
