import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import type { Member } from '#features/chat/model/chat-types.ts'
import { MemberPicker } from '#features/chat/parts/member-picker.tsx'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Modal } from '#ui/modal.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { addMembers } from './group-changes.ts'

/** Lets the creator add members to a group; current members are listed but can't be removed here. */
export function AddMembers({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const client = useQueryClient()
  const [selected, setSelected] = useState<readonly Member[]>([])

  function toggle(member: Member) {
    setSelected((before) => {
      const others = before.filter(({ id }) => id !== member.id)
      return others.length < before.length ? others : [...before, member]
    })
  }

  async function add() {
    try {
      await addMembers(
        chat.id,
        selected.map(({ id }) => id),
      )
      await client.invalidateQueries({ queryKey: ['chat_participants'] })
      void client.invalidateQueries({ queryKey: ['chats'] })
      onClose()
    } catch (error) {
      showError(m.chat_error_changing(), error)
    }
  }

  return (
    <Modal
      open
      onClose={onClose}
      title={m.chat_add_members()}
      footer={
        <Button disabled={selected.length === 0} onClick={() => void add()}>
          {m.chat_add_members_submit({ count: formatCount(selected.length) })}
        </Button>
      }
    >
      <UnsavedChanges when={selected.length > 0} />
      <div className="flex h-[60dvh] flex-col">
        <MemberPicker selected={selected} onToggle={toggle} />
      </div>
    </Modal>
  )
}
