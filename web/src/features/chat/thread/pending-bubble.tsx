import { CircleAlert, Clock } from 'lucide-react'
import { outboxOf } from '#features/chat/outbox/member-outbox.ts'
import type { OutboxEntry } from '#features/chat/outbox/outbox-entry.ts'
import { useIsOnline } from '#features/chat/use-is-online.ts'
import { m } from '#lib/messages/messages.js'
import { AttachmentView } from './attachment-view.tsx'
import { bubbleLook } from './bubble-look.ts'
import { MessageText } from './message-text.tsx'

/** A message on its way: sending, waiting for a connection, or refused and up to its writer. */
export function PendingBubble({ entry }: { entry: OutboxEntry }) {
  const isFailed = entry.state.step === 'failed'
  return (
    <article className="pt-1.5 pb-0.5">
      <div
        className={`${bubbleLook({ isOwn: true, isLastOfRun: true })} ml-auto ${isFailed ? '' : 'opacity-80'}`}
      >
        {entry.image && (
          <AttachmentView
            attachment={entry.image.attachment}
            file={entry.image.file}
            senderName={m.chat_you()}
          />
        )}
        {entry.text && <MessageText text={entry.text} mentions={entry.mentions} />}
        {!isFailed && <OnItsWay />}
      </div>
      {isFailed && <Failed entry={entry} />}
    </article>
  )
}

function OnItsWay() {
  const isOnline = useIsOnline()
  return (
    <p role="status" className="mt-0.5 flex items-center justify-end gap-1 text-tiny">
      {!isOnline && <Clock aria-hidden="true" className="size-3" />}
      {isOnline ? m.chat_sending() : m.chat_waiting()}
    </p>
  )
}

function Failed({ entry }: { entry: OutboxEntry }) {
  const outbox = outboxOf(entry.memberId)
  const action = 'min-h-8 px-1.5 font-semibold underline underline-offset-2'
  return (
    <div className="flex items-center justify-end gap-1 pt-0.5 text-note text-danger-text">
      <CircleAlert aria-hidden="true" className="size-4" />
      <span role="status">{m.chat_failed()}</span>
      <button type="button" className={action} onClick={() => void outbox.retry(entry.id)}>
        {m.chat_retry()}
      </button>
      <button type="button" className={action} onClick={() => void outbox.discard(entry.id)}>
        {m.chat_discard()}
      </button>
    </div>
  )
}
