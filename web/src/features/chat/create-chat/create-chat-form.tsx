import { useState, type FormEvent } from 'react'
import type { Member } from '#features/chat/chat-types.ts'
import { MESSAGE_LIMIT } from '#features/chat/thread/message-limit.ts'
import { m } from '#lib/messages/messages.js'
import { notifyError } from '#lib/notify-error.ts'
import { ChosenMembers } from '#ui/chosen-members.tsx'
import { Button } from '#ui/button.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { checkNewChat, GROUP_NAME_LIMIT, type NewChatProblem } from './check-new-chat.ts'
import { MemberPicker } from './member-picker.tsx'
import { useCreateChat } from './use-create-chat.ts'

const PROBLEM_TEXTS: Record<NewChatProblem, () => string> = {
  'no-members': m.chat_create_select_member,
  'no-message': m.chat_create_write_message,
  'no-name': m.chat_create_enter_name,
  'name-too-long': m.chat_create_enter_name,
}

export function CreateChatForm() {
  const [members, setMembers] = useState<readonly Member[]>([])
  const [groupName, setGroupName] = useState('')
  const [firstMessage, setFirstMessage] = useState('')
  const { create, isCreating } = useCreateChat()
  const newChat = { members, groupName, firstMessage }
  const problem = checkNewChat(newChat)

  function toggle(member: Member) {
    setMembers((before) => {
      const others = before.filter(({ id }) => id !== member.id)
      return others.length < before.length ? others : [...before, member]
    })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (problem) return notifyError(PROBLEM_TEXTS[problem]())
    if (!isCreating) create(newChat)
  }

  return (
    <form onSubmit={submit} className="mx-auto flex h-full max-w-column flex-col px-5 pt-safe">
      <PageHeader title={m.chat_create_title()} back="/chat" />
      <MemberPicker selected={members} onToggle={toggle} />
      <div className="flex flex-none flex-col gap-2 border-t border-line pt-3 pb-[max(1rem,env(safe-area-inset-bottom))]">
        <ChosenMembers members={members} onRemove={toggle} />
        {members.length > 1 && (
          <TextField
            label={m.chat_create_group_name()}
            value={groupName}
            maxLength={GROUP_NAME_LIMIT}
            onChange={(event) => setGroupName(event.target.value)}
            hint={m.chat_create_name_counter({ count: groupName.length, limit: GROUP_NAME_LIMIT })}
          />
        )}
        <TextArea
          label={m.chat_create_first_message()}
          placeholder={m.chat_create_first_message_placeholder()}
          rows={2}
          className="resize-none"
          maxLength={MESSAGE_LIMIT}
          value={firstMessage}
          onChange={(event) => setFirstMessage(event.target.value)}
        />
        <Button
          type="submit"
          size="lg"
          // Not `disabled`: who presses it, or Enter in a field, is told what is missing.
          aria-disabled={problem !== null}
          busyText={isCreating && m.chat_create_creating()}
        >
          {m.chat_create_submit()}
        </Button>
      </div>
    </form>
  )
}
