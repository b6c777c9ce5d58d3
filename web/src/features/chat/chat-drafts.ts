import { draftNames } from '#lib/forms/drafts.ts'

const beginningOf = (memberId: string) => `chat:${memberId}:`

export const draftNameOf = (memberId: string, chatId: string) => beginningOf(memberId) + chatId

/** The chats the member has a draft for. */
export function chatsWithDraft(memberId: string): string[] {
  const beginning = beginningOf(memberId)
  return draftNames(memberId, beginning).map((name) => name.slice(beginning.length))
}
