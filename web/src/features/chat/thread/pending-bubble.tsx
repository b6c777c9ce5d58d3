import { CircleAlert, Clock } from 'lucide-react'
import { ChatAttachment } from '#domain/chat-attachment.tsx'
import { outboxOf } from '#features/chat/outbox/member-outbox.ts'
import { pictureOf, type OutboxEntry } from '#features/chat/outbox/outbox-entry.ts'
import { m } from '#lib/messages/messages.js'
import { useReach } from '#lib/server/server-reach.ts'
import { Pressable } from '#ui/pressable.tsx'
import { TextButton } from '#ui/text-button.tsx'
import { bubbleLook } from './bubble-look.ts'
import { ForwardedNote } from './forwarded-note.tsx'
import { MessageText } from './message-text.tsx'

/** A pending message: sending, waiting for a connection, or refused and up to its author. */
export function PendingBubble({ entry }: { entry: OutboxEntry }) {
  const isFailed = entry.state.step === 'failed'
  return (
    <article aria-label={m.chat_you()} className="pt-1.5 pb-0.5">
      <div
        className={`${bubbleLook({ isOwn: true, isLastOfRun: true })} ml-auto ${isFailed ? '' : 'opacity-80'}`}
      >
        <p className="sr-only">{m.chat_you()}</p>
        {entry.forwardOf && <ForwardedNote />}
        {entry.image && <ChatAttachment {...pictureOf(entry.image)} senderName={m.chat_you()} />}
        {entry.text && <MessageText text={entry.text} mentions={entry.mentions} />}
        {!isFailed && <OnItsWay entry={entry} />}
      </div>
      {isFailed && <Failed entry={entry} />}
    </article>
  )
}

function OnItsWay({ entry }: { entry: OutboxEntry }) {
  const isOnline = useReach() === 'online'
  return (
    <div className="mt-0.5 flex items-center justify-end gap-1 text-caption">
      {!isOnline && <Clock aria-hidden="true" className="size-3" />}
      <span role="status">{isOnline ? m.chat_sending() : m.chat_waiting()}</span>
      {/* Text is gone in a moment; a file may take minutes. */}
      {entry.image?.attachment.kind === 'file' && (
        <Pressable
          onClick={() => void outboxOf(entry.memberId).discard(entry.id)}
          className="-my-3 min-h-target min-w-target px-2 font-semibold underline"
        >
          {m.chat_cancel()}
        </Pressable>
      )}
    </div>
  )
}

function Failed({ entry }: { entry: OutboxEntry }) {
  const outbox = outboxOf(entry.memberId)
  return (
    <div className="flex items-center justify-end gap-1 py-2 text-note text-danger-text">
      <CircleAlert aria-hidden="true" className="size-4" />
      <span role="status">{m.chat_failed()}</span>
      <TextButton tone="danger" onClick={() => void outbox.retry(entry.id)}>
        {m.chat_retry()}
      </TextButton>
      <TextButton tone="danger" onClick={() => void outbox.discard(entry.id)}>
        {m.chat_discard()}
      </TextButton>
    </div>
  )
}
