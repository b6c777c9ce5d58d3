import { useEffect, useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import {
  changeDraft,
  draftNameOf,
  leaveDraft,
  watchDraft,
} from '#features/chat/model/chat-drafts.ts'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import { MESSAGE_LIMIT, type Composing } from '#features/chat/model/composing.ts'
import { outboxOf } from '#features/chat/outbox/member-outbox.ts'
import type { OutboxEntry } from '#features/chat/outbox/outbox-entry.ts'
import { readDraft } from '#lib/forms/drafts.ts'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { showError } from '#lib/server/notify-error.ts'
import { attachmentOf, type Attached } from './attached.ts'
import { mentionedIds, type Mentionable } from './mentions.ts'
import { editMessage } from './message-changes.ts'
import { splitMessage } from './split-message.ts'

/** The state of the composer: text with draft, mentions, images and files. */
export function useComposer(chat: Chat, composing: Composing) {
  const memberId = useUserId()
  const draftName = draftNameOf(memberId, chat.id)
  const isEdit = composing.kind === 'edit'
  const [text, setText] = useState(() =>
    isEdit ? composing.message.message : readDraft(draftName),
  )
  const [mentionable, setMentionable] = useState<readonly Mentionable[]>([])
  const [isSaving, setIsSaving] = useState(false)
  const [attached, setAttached] = useState<readonly Attached[]>([])

  useEffect(() => {
    if (isEdit) return
    const unwatch = watchDraft(draftName, () => setText(readDraft(draftName)))
    return () => {
      unwatch()
      leaveDraft(memberId, chat.id)
    }
  }, [isEdit, draftName, memberId, chat.id])

  function change(next: string) {
    setText(next)
    if (!isEdit) changeDraft(memberId, chat.id, next)
  }

  /** False: refused or offline, and the text is still there to save again. */
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
    const parts = splitMessage(text, MESSAGE_LIMIT)
    // Each image and file is a message of its own; the first has the text with it.
    const more = Math.max(attached.length - 1, 0)
    parts.splice(1, 0, ...Array.from({ length: more }, () => ''))
    setText('')
    setAttached([])
    setMentionable([])
    addAll(parts.map(entryOf))
      // Clears the draft once the message is stored on the device, unless the next one has been started.
      .then(() => readDraft(draftName) === text && changeDraft(memberId, chat.id, ''))
      .catch((error: unknown) => showError(m.chat_error_sending(), error))
  }

  /** One of the messages to send; what is quoted or shown comes with the first. */
  function entryOf(part: string, index: number): OutboxEntry {
    const id = newId()
    const isFirst = index === 0
    return {
      id,
      memberId,
      chatId: chat.id,
      text: part,
      writtenAt: new Date().toISOString(),
      replyTo: isFirst && composing.kind === 'reply' ? composing.to.id : null,
      mentions: mentionedIds(part, mentionable),
      image: attachmentOf(attached[index], `${chat.id}/${id}`),
      state: { step: 'waiting' },
    }
  }

  // One after the other: the outbox keeps the order in which they are added.
  async function addAll(entries: OutboxEntry[]) {
    for (const entry of entries) await outboxOf(memberId).add(entry)
  }

  const length = text.trim().length
  const isTooLong = length > MESSAGE_LIMIT
  return {
    text,
    change,
    attached,
    attach: (more: readonly Attached[]) => setAttached((before) => [...before, ...more]),
    detach: (id: string) => setAttached((before) => before.filter((each) => each.id !== id)),
    mentionable,
    mention: (member: Mentionable) => setMentionable([...mentionable, member]),
    canSubmit: (length > 0 || (attached.length > 0 && !isEdit)) && !isTooLong && !isSaving,
    saveEdit,
    send,
  }
}
