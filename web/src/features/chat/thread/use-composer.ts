import { useState } from 'react'
import type { Chat } from '#features/chat/chat-queries.ts'
import { newId } from '#lib/new-id.ts'
import { outboxOf } from '#features/chat/outbox/member-outbox.ts'
import { readDraft, writeDraft } from '#lib/drafts.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import { useUserId } from '#lib/session.ts'
import type { Composing } from './composing.ts'
import { editMessage } from './message-changes.ts'
import { mentionedIds, type Mentionable } from './mentions.ts'
import type { PickedImage } from './prepare-image.ts'

/** What is being written: the text with its draft, the members mentioned, the image chosen. */
export function useComposer(chat: Chat, composing: Composing) {
  const memberId = useUserId()
  const draftName = `chat:${memberId}:${chat.id}`
  const isEdit = composing.kind === 'edit'
  const [text, setText] = useState(() =>
    isEdit ? composing.message.message : readDraft(draftName),
  )
  const [mentionable, setMentionable] = useState<readonly Mentionable[]>([])
  const [isSaving, setIsSaving] = useState(false)
  const [image, setImage] = useState<PickedImage | null>(null)

  function change(next: string) {
    setText(next)
    if (!isEdit) writeDraft(draftName, next)
  }

  /** False: refused, or no connection, and what was typed is still there to be saved again. */
  async function saveEdit(): Promise<boolean> {
    if (!isEdit || text.trim() === composing.message.message) return true
    setIsSaving(true)
    try {
      await editMessage(composing.message.id, text.trim())
      return true
    } catch (error) {
      showError(m.chat_error_changing_message(), error)
      return false
    } finally {
      setIsSaving(false)
    }
  }

  function send() {
    const id = newId()
    const entry = {
      id,
      memberId,
      chatId: chat.id,
      text: text.trim(),
      writtenAt: new Date().toISOString(),
      replyTo: composing.kind === 'reply' ? composing.to.id : null,
      mentions: mentionedIds(text, mentionable),
      image: image && {
        file: image.file,
        attachment: {
          path: `${chat.id}/${id}.${image.extension}`,
          width: image.width,
          height: image.height,
        },
      },
      state: { step: 'waiting' as const },
    }
    setText('')
    setImage(null)
    setMentionable([])
    outboxOf(memberId)
      .add(entry)
      // The draft goes once the message is safe on the device, and not if the next one has begun.
      .then(() => readDraft(draftName) === text && writeDraft(draftName, ''))
      .catch((error: unknown) => showError(m.chat_error_sending(), error))
  }

  return {
    text,
    change,
    image,
    setImage,
    mentionable,
    mention: (member: Mentionable) => setMentionable([...mentionable, member]),
    canSubmit: (text.trim() !== '' || (image !== null && !isEdit)) && !isSaving,
    saveEdit,
    send,
  }
}
