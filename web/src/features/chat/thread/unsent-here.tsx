import { useState, type ReactNode } from 'react'
import { useUserId } from '#data/session/session.ts'
import { ChatAttachment } from '#domain/chat-attachment.tsx'
import { draftNameOf } from '#features/chat/model/chat-drafts.ts'
import { outboxOf, useOutboxEntries } from '#features/chat/outbox/member-outbox.ts'
import { pictureOf } from '#features/chat/outbox/outbox-entry.ts'
import { readDraft, writeDraft } from '#lib/forms/drafts.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'

/** What the member wrote in a chat that is no longer theirs, to copy or discard: nothing else leads to it. */
export function UnsentHere({ chatId }: { chatId: string }) {
  const memberId = useUserId()
  const draftName = draftNameOf(memberId, chatId)
  const [draft, setDraft] = useState(() => readDraft(draftName))
  const entries = useOutboxEntries(memberId).filter((entry) => entry.chatId === chatId)
  if (!draft && entries.length === 0) return null

  function discardDraft() {
    writeDraft(draftName, '')
    setDraft('')
  }

  return (
    <section className="mx-auto grid w-full max-w-form gap-3 px-5 pb-8">
      <h2 className="font-semibold">{m.chat_draft_title()}</h2>
      {entries.map(({ id, text, image }) => (
        <Unsent key={id} text={text} onDiscard={() => void outboxOf(memberId).discard(id)}>
          {image && <ChatAttachment {...pictureOf(image)} senderName={m.chat_you()} />}
        </Unsent>
      ))}
      {draft && <Unsent text={draft} onDiscard={discardDraft} />}
    </section>
  )
}

type UnsentProps = { text: string; onDiscard: () => void; children?: ReactNode }

function Unsent({ text, onDiscard, children }: UnsentProps) {
  return (
    <div className="grid gap-2">
      {children}
      {text && (
        <p className="max-h-40 overflow-y-auto rounded-field bg-tint p-3 text-small wrap-anywhere whitespace-pre-wrap">
          {text}
        </p>
      )}
      <div className="flex gap-3">
        {text && (
          <Button variant="tint" size="sm" onClick={() => void copyText(text, m.chat_copied())}>
            {m.chat_copy()}
          </Button>
        )}
        <Button variant="ghost" size="sm" onClick={onDiscard}>
          {m.chat_discard()}
        </Button>
      </div>
    </div>
  )
}
