import { useQuery } from '@tanstack/react-query'
import { useUserId } from '#data/session/session.ts'
import { memberName } from '#domain/member-name.ts'
import { chatListQuery, chatMembersQuery, type Chat } from '#features/chat/model/chat-queries.ts'

type ChatTitle = {
  title: string
  memberCount: number
  /** The other participant of an individual chat. */
  otherId: string | null
}

/** A chat's title and size. The list has both; a hidden chat isn't in it and is requested separately. */
export function useChatTitle(chat: Chat): ChatTitle {
  const memberId = useUserId()
  const { data: chats } = useQuery(chatListQuery(memberId))
  const listed = chats?.find((each) => each.chat_id === chat.id)
  const { data: members = [] } = useQuery({
    ...chatMembersQuery(chat.id),
    enabled: chats !== undefined && !listed,
  })
  if (listed) {
    return {
      title: listed.title,
      memberCount: listed.member_count,
      otherId: listed.other_user_id,
    }
  }
  const other = chat.type === 'individual' && members.find(({ id }) => id !== memberId)
  return {
    title: other ? memberName(other) : (chat.name ?? ''),
    memberCount: members.length,
    otherId: other ? other.id : null,
  }
}
