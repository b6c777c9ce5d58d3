import { GROUP_NAME_LIMIT, type Member } from '#features/chat/model/chat-types.ts'
import { MESSAGE_LIMIT } from '#features/chat/model/composing.ts'

export type NewChat = { members: readonly Member[]; groupName: string; firstMessage: string }

export type NewChatProblem =
  'no-members' | 'no-message' | 'no-name' | 'name-too-long' | 'message-too-long'

/** The first validation error of a new chat, or null. */
export function checkNewChat({ members, groupName, firstMessage }: NewChat): NewChatProblem | null {
  if (members.length === 0) return 'no-members'
  if (!firstMessage.trim()) return 'no-message'
  if (members.length > 1 && !groupName.trim()) return 'no-name'
  if (members.length > 1 && groupName.length > GROUP_NAME_LIMIT) return 'name-too-long'
  if (firstMessage.trim().length > MESSAGE_LIMIT) return 'message-too-long'
  return null
}
