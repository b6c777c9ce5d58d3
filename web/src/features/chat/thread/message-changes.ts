import type { Message } from '#features/chat/chat-types.ts'
import { database, storage } from '#lib/supabase.ts'

/** Changes the text of an own message; the database marks it as edited. */
export async function editMessage(id: string, text: string): Promise<void> {
  const { error } = await database.from('chat_messages').update({ message: text }).eq('id', id)
  if (error) throw error
}

/** Deletes an own message, or as an admin somebody else's with a reason. Its image goes first. */
export async function deleteMessage(message: Message, reason: string | null): Promise<void> {
  if (message.attachment) {
    const bucket = (await storage()).from('chat-images')
    const { error } = await bucket.remove([message.attachment.path])
    if (error) throw error
  }
  const { error } = await database
    .from('chat_messages')
    .update({ is_deleted: true, ...(reason && { deleted_reason: reason }) })
    .eq('id', message.id)
  if (error) throw error
}

export async function addReaction(messageId: string, memberId: string, emoji: string) {
  const row = { message_id: messageId, user_id: memberId, emoji }
  const { error, status } = await database.from('chat_reactions').insert(row)
  // There already, from another device.
  if (error && status !== 409) throw error
}

export async function removeReaction(messageId: string, memberId: string, emoji: string) {
  const { error } = await database
    .from('chat_reactions')
    .delete()
    .eq('message_id', messageId)
    .eq('user_id', memberId)
    .eq('emoji', emoji)
  if (error) throw error
}
