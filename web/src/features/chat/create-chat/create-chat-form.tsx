import { useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { ChosenMembers } from '#domain/chosen-members.tsx'
import { GROUP_NAME_LIMIT, type Member } from '#features/chat/model/chat-types.ts'
import { MESSAGE_LIMIT } from '#features/chat/model/composing.ts'
import { MemberPicker } from '#features/chat/parts/member-picker.tsx'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { notifyError } from '#lib/server/notify-error.ts'
import { Button, buttonLook } from '#ui/button.tsx'
import { Counter } from '#ui/counter.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { checkNewChat, type NewChat, type NewChatProblem } from './check-new-chat.ts'
import { keepNewChat, readNewChat } from './new-chat-draft.ts'
import { useCreateChat } from './use-create-chat.ts'

const PROBLEM_TEXTS: Record<NewChatProblem, () => string> = {
  'no-members': m.chat_create_select_member,
  'no-message': m.chat_create_write_message,
  'no-name': m.chat_create_enter_name,
  'name-too-long': m.chat_create_enter_name,
  'message-too-long': m.chat_create_shorten_message,
}

/** `person`: was pressed to begin a chat, and is chosen already. */
export function CreateChatForm({ person }: { person?: Member | undefined }) {
  const memberId = useUserId()
  const [newChat, setNewChat] = useState(() => readNewChat(memberId, person))
  const { members, groupName, firstMessage } = newChat
  const { create, isCreating } = useCreateChat(person)
  const problem = checkNewChat(newChat)

  /** Kept on the device too, so that leaving loses nothing. */
  function change(part: Partial<NewChat>) {
    const next = { ...newChat, ...part }
    setNewChat(next)
    keepNewChat(memberId, next, person)
  }

  function toggle(member: Member) {
    const others = members.filter(({ id }) => id !== member.id)
    change({ members: others.length < members.length ? others : [...members, member] })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (problem) return notifyError(PROBLEM_TEXTS[problem]())
    create(newChat)
  }

  return (
    <form
      onSubmit={submit}
      className="mx-auto flex h-full max-w-column flex-col overflow-y-auto px-5 pt-safe"
    >
      <PageHeader
        title={m.chat_create_title()}
        back="/chat"
        actions={
          <Link to="/people" className={buttonLook('tint', 'sm')}>
            {m.people_title()}
          </Link>
        }
      />
      <MemberPicker selected={members} onToggle={toggle} />
      <div className="flex flex-none flex-col gap-2 border-t border-line pt-3 pb-[max(1rem,env(safe-area-inset-bottom))]">
        <ChosenMembers members={members} onRemove={toggle} />
        {members.length > 1 && (
          <TextField
            label={m.chat_create_group_name()}
            value={groupName}
            maxLength={GROUP_NAME_LIMIT}
            onChange={(event) => change({ groupName: event.target.value })}
            hint={<Counter count={groupName.length} limit={GROUP_NAME_LIMIT} />}
          />
        )}
        <TextArea
          label={m.chat_create_first_message()}
          placeholder={m.chat_create_first_message_placeholder()}
          rows={2}
          autoFocus={person !== undefined}
          className="resize-none"
          value={firstMessage}
          error={
            problem === 'message-too-long'
              ? m.chat_length({
                  count: formatCount(firstMessage.trim().length),
                  limit: formatCount(MESSAGE_LIMIT),
                })
              : undefined
          }
          onChange={(event) => change({ firstMessage: event.target.value })}
        />
        <Button
          type="submit"
          size="lg"
          // Not `disabled`: pressing it, or Enter in a field, shows what is missing.
          aria-disabled={problem !== null}
          busyText={isCreating && m.chat_create_creating()}
        >
          {m.chat_create_submit()}
        </Button>
      </div>
    </form>
  )
}
