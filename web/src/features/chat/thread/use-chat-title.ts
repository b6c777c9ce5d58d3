import { useQuery } from '@tanstack/react-query'
import { chatListQuery, chatMembersQuery, type Chat } from '#features/chat/chat-queries.ts'
import { memberName } from '#features/chat/member-name.ts'
import { useUserId } from '#lib/session.ts'

/** A chat's title and size. The list knows both; a hidden chat is not in it and is asked about. */
export function useChatTitle(chat: Chat): { title: string; seed: string; memberCount: number } {
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
      seed: listed.other_user_id ?? chat.id,
      memberCount: listed.member_count,
    }
  }
  const other = members.find(({ id }) => id !== memberId)
  const title = chat.type === 'individual' && other ? memberName(other) : (chat.name ?? '')
  return {
    title,
    seed: other && chat.type === 'individual' ? other.id : chat.id,
    memberCount: members.length,
  }
}
