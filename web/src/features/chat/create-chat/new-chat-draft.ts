import * as v from 'valibot'
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
const nameOf = (memberId: string) => `new-chat:${memberId}`

/** The chat the member was about to create on this device. */
export function readNewChat(memberId: string): NewChat {
  try {
    return v.parse(stored, JSON.parse(readDraft(nameOf(memberId))))
  } catch {
    // There is none, or one of an older version.
    return EMPTY
  }
}

export function keepNewChat(memberId: string, chat: NewChat): void {
  const isEmpty = chat.members.length === 0 && !chat.groupName && !chat.firstMessage
  writeDraft(nameOf(memberId), isEmpty ? '' : JSON.stringify(chat))
}

export function forgetNewChat(memberId: string): void {
  writeDraft(nameOf(memberId), '')
}
