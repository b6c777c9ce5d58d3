import { callFunction } from '#data/call-function.ts'
import { database } from '#data/supabase.ts'

export function addMembers(chatId: string, memberIds: string[]): Promise<void> {
  return callFunction('add_chat_members', { chat_id: chatId, member_ids: memberIds })
}

/** Removes a participant: the creator may remove anyone, a member themselves. */
export async function removeMember(chatId: string, memberId: string): Promise<void> {
  const { error } = await database
    .from('chat_participants')
    .update({ is_active: false })
    .eq('chat_id', chatId)
    .eq('user_id', memberId)
  if (error) throw error
}

/** Takes the member's own leaving back; the database allows it for a minute. */
export async function rejoinChat(chatId: string): Promise<void> {
  await callFunction('rejoin_chat', { chat_id: chatId })
}

/** Renames a group; allowed for its creator, or an admin who is in it. */
export async function renameGroup(chatId: string, name: string): Promise<void> {
  // single(): an update that row-level security filters out changes nothing and must fail.
  const { error } = await database.from('chats').update({ name }).eq('id', chatId).select().single()
  if (error) throw error
}
