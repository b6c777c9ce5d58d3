import { useQuery } from '@tanstack/react-query'
import { LogOut, Pencil, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { useChangedBy } from '#domain/changed-by.tsx'
import { memberName } from '#domain/member-name.ts'
import { openPerson, useOpenPerson } from '#domain/open-person.ts'
import { SupervisorNames } from '#domain/supervised-by.tsx'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import { chatListQuery } from '#features/chat/model/chat-queries.ts'
import type { ChatSummary } from '#features/chat/model/chat-types.ts'
import { useMemberName } from '#features/chat/model/member-names.ts'
import { showUndo } from '#features/chat/model/show-undo.ts'
import { usePermissions } from '#features/chat/model/use-permissions.ts'
import { LevelChoice } from '#features/chat/parts/notification-level.tsx'
import { itemsOf, useOwnChoices } from '#features/chat/parts/use-chat-menu-items.tsx'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Modal } from '#ui/modal.tsx'
import { AddMembers } from './add-members.tsx'
import { ChatToolSheet, ChatTools, type ChatTool } from './chat-tools.tsx'
import { ChatMemberList } from './chat-member-list.tsx'
import { rejoinChat, removeMember } from './group-changes.ts'
import { RenameGroup } from './rename-group.tsx'
import type { Jump } from './use-jump.ts'

type ChatDetailsProps = { chat: Chat; title: string; jump: Jump; onClose: () => void }

/** The chat's members and actions. */
export function ChatDetails({ chat, title, jump, onClose }: ChatDetailsProps) {
  const memberId = useUserId()
  const { isAdmin, canSendMessages } = usePermissions()
  const { data: chats } = useQuery(chatListQuery(memberId))
  const listed = chats?.find((each) => each.chat_id === chat.id)
  const [step, setStep] = useState<'look' | 'add' | 'rename' | ChatTool>('look')
  const stepsAside = useOpenPerson() !== null
  const isGroup = chat.type === 'group'
  const isCreator = isGroup && chat.created_by === memberId
  const changedBy = useChangedBy(chat.updated_at, useMemberName(chat.updated_by))
  const back = () => setStep('look')

  if (step === 'add') return <AddMembers chat={chat} onClose={back} />
  if (step === 'rename') return <RenameGroup chat={chat} onClose={back} />
  if (step === 'search' || step === 'date' || step === 'photos' || step === 'files')
    return <ChatToolSheet tool={step} chat={chat} jump={jump} onClose={back} onJumped={onClose} />
  return (
    <Modal open={!stepsAside} onClose={onClose} title={title}>
      <ChatTools onOpen={setStep} />
      {listed && <OwnChoices chat={listed} />}
      {listed && <LevelChoice chat={listed} />}
      {isGroup && (isCreator || isAdmin) && canSendMessages && (
        <Button
          variant="ghost"
          size="sm"
          className="justify-self-start"
          onClick={() => setStep('rename')}
        >
          <Pencil aria-hidden="true" className="size-4" />
          {m.chat_rename()}
        </Button>
      )}
      {isGroup && changedBy && <p className="text-note text-muted">{changedBy}</p>}
      <section className="grid gap-2">
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <h3 className="font-semibold">{m.chat_details_members()}</h3>
          {isCreator && (
            <Button variant="tint" size="sm" onClick={() => setStep('add')}>
              <UserPlus aria-hidden="true" className="size-4" />
              {m.chat_add_members()}
            </Button>
          )}
        </div>
        <ChatMemberList
          chat={chat}
          expected={listed?.member_count}
          canRemove={isCreator}
          onOpen={(member) => openPerson({ id: member.id, name: memberName(member) })}
        />
      </section>
      <p className="text-note text-muted">
        {m.chat_details_kept()}{' '}
        <span className="block">
          {m.chat_details_supervised()} <SupervisorNames />
        </span>
      </p>
      {isGroup && <LeaveButton chat={chat} />}
    </Modal>
  )
}

function OwnChoices({ chat }: { chat: ChatSummary }) {
  const { pin, unread, archive, hide } = useOwnChoices(chat)
  return (
    <div className="flex flex-wrap gap-2">
      {itemsOf(pin, unread, archive, hide).map((item) => (
        <Button key={item.label} variant="ghost" size="sm" onClick={item.onSelect}>
          <span aria-hidden="true" className="[&_svg]:size-4">
            {item.icon}
          </span>
          {item.label}
        </Button>
      ))}
    </div>
  )
}

function LeaveButton({ chat }: { chat: Chat }) {
  const memberId = useUserId()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)

  function leave() {
    removeMember(chat.id, memberId)
      .then(() => navigate('/chat', { replace: true }))
      .then(() => showUndo(m.chat_left_notice(), () => rejoinChat(chat.id)))
      .catch((error: unknown) => showError(m.chat_error_changing(), error))
  }

  return (
    <>
      <Button variant="danger-ghost" onClick={() => setIsAsking(true)}>
        <LogOut aria-hidden="true" className="size-5" />
        {m.chat_leave()}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={m.chat_leave_title()}
        text={m.chat_leave_text()}
        confirmLabel={m.chat_leave()}
        onConfirm={leave}
        onCancel={() => setIsAsking(false)}
        isDestructive
      />
    </>
  )
}
