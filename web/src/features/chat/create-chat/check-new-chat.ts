import type { Member } from '#features/chat/chat-types.ts'

export const GROUP_NAME_LIMIT = 50

export type NewChat = { members: readonly Member[]; groupName: string; firstMessage: string }

export type NewChatProblem = 'no-members' | 'no-message' | 'no-name' | 'name-too-long'

/** The first thing wrong with a new chat, or null when it can be created. */
export function checkNewChat({ members, groupName, firstMessage }: NewChat): NewChatProblem | null {
  if (members.length === 0) return 'no-members'
  if (!firstMessage.trim()) return 'no-message'
  if (members.length > 1 && !groupName.trim()) return 'no-name'
  if (members.length > 1 && groupName.length > GROUP_NAME_LIMIT) return 'name-too-long'
  return null
}
