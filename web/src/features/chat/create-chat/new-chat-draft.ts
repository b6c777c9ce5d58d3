import * as v from 'valibot'
import type { Member } from '#features/chat/model/chat-types.ts'
import { readDraft, writeDraft } from '#lib/forms/drafts.ts'
import type { NewChat } from './check-new-chat.ts'

const stored = v.object({
  members: v.array(
    v.object({
      id: v.string(),
      first_name: v.string(),
      last_name: v.string(),
      email: v.nullable(v.string()),
    }),
  ),
  groupName: v.string(),
  firstMessage: v.string(),
})

const EMPTY: NewChat = { members: [], groupName: '', firstMessage: '' }
/** What was begun with one person is kept apart, so that neither takes the other's place. */
const nameOf = (memberId: string, withId?: string) =>
  `new-chat:${memberId}${withId ? `:${withId}` : ''}`

/** The chat the member was about to create on this device, or a new one, with somebody where that was pressed. */
export function readNewChat(memberId: string, person?: Member): NewChat {
  try {
    return v.parse(stored, JSON.parse(readDraft(nameOf(memberId, person?.id))))
  } catch {
    // There is none, or one of an older version.
    return person ? { ...EMPTY, members: [person] } : EMPTY
  }
}

export function keepNewChat(memberId: string, chat: NewChat, person?: Member): void {
  const isEmpty = chat.members.length === (person ? 1 : 0) && !chat.groupName && !chat.firstMessage
  writeDraft(nameOf(memberId, person?.id), isEmpty ? '' : JSON.stringify(chat))
}

export function forgetNewChat(memberId: string, person?: Member): void {
  writeDraft(nameOf(memberId, person?.id), '')
}
