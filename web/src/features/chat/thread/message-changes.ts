import type { Message } from '#features/chat/chat-types.ts'
import { callFunction } from '#lib/supabase/call-function.ts'
import { database, storage } from '#lib/supabase/supabase.ts'

/** Edits the member's own message; the database marks it as edited. */
export async function editMessage(id: string, text: string): Promise<void> {
  const { error } = await database.from('chat_messages').update({ message: text }).eq('id', id)
  if (error) throw error
}

/**
 * Deletes the member's own message, or, as an admin, somebody else's with a reason. Deletes its image first.
 */
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

/** Takes the member's own deletion back; the database allows it for a minute. */
export async function restoreMessage(id: string): Promise<void> {
  await callFunction('restore_message', { message_id: id })
}

export async function addReaction(messageId: string, memberId: string, emoji: string) {
  const row = { message_id: messageId, user_id: memberId, emoji }
  const { error, status } = await database.from('chat_reactions').insert(row)
  // Already added, on another device.
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
