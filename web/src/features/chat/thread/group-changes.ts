import { callFunction } from '#lib/call-function.ts'
import { database } from '#lib/supabase.ts'

export function addMembers(chatId: string, memberIds: string[]): Promise<void> {
  return callFunction('add_chat_members', { chat_id: chatId, member_ids: memberIds })
}

/** Takes somebody out of a group: its creator anybody, a member themselves. */
export async function removeMember(chatId: string, memberId: string): Promise<void> {
  const { error } = await database
    .from('chat_participants')
    .update({ is_active: false })
    .eq('chat_id', chatId)
    .eq('user_id', memberId)
  if (error) throw error
}

/** The new name of a group: by its creator, or by an admin who is in it. */
export async function renameGroup(chatId: string, name: string): Promise<void> {
  // single(): a change that the database lets nobody see has changed nothing.
  const { error } = await database.from('chats').update({ name }).eq('id', chatId).select().single()
  if (error) throw error
}
