import { ArrowUp } from 'lucide-react'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import type { Chat } from '#features/chat/chat-queries.ts'
import { newId } from '#features/chat/new-id.ts'
import { outboxOf } from '#features/chat/outbox/member-outbox.ts'
import { usePermissions } from '#features/chat/use-permissions.ts'
import { readDraft, writeDraft } from '#lib/drafts.ts'
import { m } from '#lib/messages/messages.js'
import { notifyError, showError } from '#lib/notify-error.ts'
import { useUserId } from '#lib/session.ts'
import { MESSAGE_LIMIT } from './message-limit.ts'

type ComposerProps = { chat: Chat; onSent: () => void }

/** Enter sends, Shift+Enter makes a new line. What was typed is kept until it is safely stored. */
export function Composer({ chat, onSent }: ComposerProps) {
  const memberId = useUserId()
  const { canSendMessages } = usePermissions()
  const draftName = `chat:${memberId}:${chat.id}`
  const [text, setText] = useState(() => readDraft(draftName))
  const message = text.trim()

  function change(next: string) {
    setText(next)
    writeDraft(draftName, next)
  }

  function send(event: FormEvent) {
    event.preventDefault()
    if (!message) return
    // Permission can be taken away between two drawings of the screen.
    if (!canSendMessages) return notifyError(m.chat_no_send_permission_alert())
    setText('')
    outboxOf(memberId)
      .add({
        id: newId(),
        memberId,
        chatId: chat.id,
        text: message,
        writtenAt: new Date().toISOString(),
        replyTo: null,
        mentions: [],
        image: null,
        state: { step: 'waiting' },
      })
      .then(() => writeDraft(draftName, ''))
      .catch((error: unknown) => showError(m.chat_error_sending(), error))
    onSent()
  }

  return (
    <form
      onSubmit={send}
      className="flex flex-none items-end gap-2.5 border-t border-line bg-card px-4 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] lg:px-6 lg:py-3.5"
    >
      <textarea
        rows={1}
        aria-label={m.chat_composer_label()}
        placeholder={m.chat_composer_label()}
        maxLength={MESSAGE_LIMIT}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={sendOnEnter}
        className="field-sizing-content max-h-30 min-h-11.5 flex-1 resize-none rounded-[22px] border border-field-line bg-surface px-4 py-2.5 leading-normal text-ink placeholder:text-muted focus:border-primary focus:ring-3 focus:ring-tint focus:outline-0"
      />
      <button
        type="submit"
        disabled={!message}
        aria-label={m.chat_send()}
        title={m.chat_send()}
        className="grid size-11.5 flex-none place-items-center rounded-full bg-primary text-primary-ink transition active:scale-95 disabled:opacity-55"
      >
        <ArrowUp aria-hidden="true" className="size-5.5" />
      </button>
    </form>
  )
}

function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  // While an input method composes a word, Enter chooses it.
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
