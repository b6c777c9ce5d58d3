import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import { memberName } from '#domain/member-name.ts'
import {
  loadChatMembers,
  MEMBER_PAGE_SIZE,
  type Chat,
  type ChatMember,
} from '#features/chat/model/chat-queries.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Chip } from '#ui/chip.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { removeMember } from './group-changes.ts'

type ChatMemberListProps = {
  chat: Chat
  /** How many members there were before. */
  expected?: number | undefined
  canRemove: boolean
  /** Somebody was pressed. */
  onOpen: (member: ChatMember) => void
}

/** The chat's members, page by page. */
export function ChatMemberList({ chat, expected = 4, canRemove, onOpen }: ChatMemberListProps) {
  const client = useQueryClient()
  const [leaving, setLeaving] = useState<ChatMember | null>(null)
  const query = useInfiniteQuery({
    queryKey: ['chat_participants', 'list', chat.id],
    queryFn: ({ pageParam }) => loadChatMembers(chat.id, '', pageParam),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.length < MEMBER_PAGE_SIZE ? undefined : pages.length * MEMBER_PAGE_SIZE,
  })

  function remove(member: ChatMember) {
    setLeaving(null)
    removeMember(chat.id, member.id)
      .then(() => client.invalidateQueries({ queryKey: ['chat_participants'] }))
      .catch((error: unknown) => showError(m.chat_error_changing(), error))
  }

  if (query.error) {
    return <LoadError error={query.error} onRetry={() => void query.refetch()} />
  }
  if (query.isPending) return <SkeletonRows count={expected} />
  return (
    <>
      <ul className="grid grid-cols-1 gap-1">
        {query.data.pages.flat().map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            onOpen={() => onOpen(member)}
            {...(canRemove && { onRemove: () => setLeaving(member) })}
          />
        ))}
      </ul>
      <ShowMorePages query={query} />
      {leaving && (
        <ConfirmDialog
          open
          title={m.chat_member_remove_title({ name: memberName(leaving) })}
          text={m.chat_member_remove_text()}
          confirmLabel={m.chat_remove_message()}
          onConfirm={() => remove(leaving)}
          onCancel={() => setLeaving(null)}
          isDestructive
        />
      )}
    </>
  )
}

type MemberRowProps = { member: ChatMember; onOpen: () => void; onRemove?: () => void }

function MemberRow({ member, onOpen, onRemove }: MemberRowProps) {
  const isSelf = member.id === useUserId()
  const name = memberName(member)
  return (
    <li className="flex min-h-13 flex-wrap items-center justify-end gap-x-3">
      <Pressable
        onClick={onOpen}
        className="flex min-h-13 min-w-0 flex-1 basis-20 items-center gap-3 rounded-field text-left hover:bg-tint"
      >
        <Avatar name={name} seed={member.id} size="sm" />
        <span className="min-w-0 truncate font-medium">{name}</span>
      </Pressable>
      {member.is_creator && <Chip>{m.chat_member_creator()}</Chip>}
      {onRemove && !isSelf && (
        <IconButton
          label={m.chat_member_remove({ name })}
          icon={<UserMinus />}
          variant="plain"
          onClick={onRemove}
        />
      )}
    </li>
  )
}
