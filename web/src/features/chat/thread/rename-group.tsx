import { useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import { GROUP_NAME_LIMIT } from '#features/chat/model/chat-types.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Counter } from '#ui/counter.tsx'
import { Modal } from '#ui/modal.tsx'
import { TextField } from '#ui/text-field.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { renameGroup } from './group-changes.ts'

/** Renames a group, live for all its participants. */
export function RenameGroup({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const client = useQueryClient()
  const formId = useId()
  const [name, setName] = useState(chat.name ?? '')
  const [isSaving, setIsSaving] = useState(false)
  const isChanged = name.trim() !== '' && name.trim() !== chat.name

  async function rename(event: FormEvent) {
    event.preventDefault()
    if (!isChanged || isSaving) return
    setIsSaving(true)
    try {
      await renameGroup(chat.id, name.trim())
      await client.invalidateQueries({ queryKey: ['chats'] })
      onClose()
    } catch (error) {
      setIsSaving(false)
      showError(m.chat_error_changing(), error)
    }
  }

  return (
    <Modal
      open
      onClose={onClose}
      title={m.chat_rename()}
      footer={
        <Button
          type="submit"
          form={formId}
          disabled={!isChanged}
          busyText={isSaving && m.chat_save()}
        >
          {m.chat_save()}
        </Button>
      }
    >
      <UnsavedChanges when={isChanged} />
      <form id={formId} onSubmit={(event) => void rename(event)}>
        <TextField
          label={m.chat_create_group_name()}
          value={name}
          autoFocus
          maxLength={GROUP_NAME_LIMIT}
          onChange={(event) => setName(event.target.value)}
          hint={<Counter count={name.length} limit={GROUP_NAME_LIMIT} />}
        />
      </form>
    </Modal>
  )
}
