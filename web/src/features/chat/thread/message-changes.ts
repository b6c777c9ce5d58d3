import { assertChanged } from '#data/assert-changed.ts'
import { callFunction } from '#data/call-function.ts'
import { saveInOrder } from '#data/live/save-in-order.ts'
import { database } from '#data/supabase.ts'

/** Edits the member's own message; the database marks it as edited. */
export async function editMessage(id: string, text: string): Promise<void> {
  const { data } = await database
    .from('chat_messages')
    .update({ message: text })
    .eq('id', id)
    .select('id')
    .throwOnError()
  assertChanged(data)
}

/** Deletes the member's own message. From then on nobody can load its image. */
export async function deleteMessage(id: string): Promise<void> {
  const { error } = await database.from('chat_messages').update({ is_deleted: true }).eq('id', id)
  if (error) throw error
}

/** Takes the member's own deletion back; the database allows it for a minute. */
export async function restoreMessage(id: string): Promise<void> {
  await callFunction('restore_message', { message_id: id })
}

// Pins and reactions show at once, so that one can be taken back while it is still being saved.

export function setMessagePinned(messageId: string, memberId: string, isOn: boolean) {
  return saveInOrder(`pin of ${messageId}`, () =>
    isOn ? pinMessage(messageId, memberId) : unpinMessage(messageId),
  )
}

export function setReaction(messageId: string, memberId: string, emoji: string, isOn: boolean) {
  return saveInOrder(`${emoji} on ${messageId}`, () =>
    isOn ? addReaction(messageId, memberId, emoji) : removeReaction(messageId, memberId, emoji),
  )
}

async function pinMessage(messageId: string, memberId: string) {
  const row = { message_id: messageId, created_by: memberId }
  const { error, status } = await database.from('chat_pins').insert(row)
  // Already pinned, by somebody else.
  if (error && status !== 409) throw error
}

async function unpinMessage(messageId: string) {
  const { error } = await database.from('chat_pins').delete().eq('message_id', messageId)
  if (error) throw error
}

async function addReaction(messageId: string, memberId: string, emoji: string) {
  const row = { message_id: messageId, user_id: memberId, emoji }
  const { error, status } = await database.from('chat_reactions').insert(row)
  // Already added, on another device.
  if (error && status !== 409) throw error
}

async function removeReaction(messageId: string, memberId: string, emoji: string) {
  const { error } = await database
    .from('chat_reactions')
    .delete()
    .eq('message_id', messageId)
    .eq('user_id', memberId)
    .eq('emoji', emoji)
  if (error) throw error
}
