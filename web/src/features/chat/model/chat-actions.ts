import { callFunction } from '#data/call-function.ts'
import { saveInOrder } from '#data/live/save-in-order.ts'
import { database } from '#data/supabase.ts'

/** Keeps a chat at the top of the list, or no longer. */
export async function setPinned(chatId: string, isPinned: boolean): Promise<void> {
  await callFunction('pin_chat', { chat_id: chatId, is_pinned: isPinned })
}

/** Hides a chat from the member's list and badge, or unhides it. */
export function setHidden(memberId: string, chatId: string, isHidden: boolean): Promise<void> {
  return inOrder(memberId, 'hidden_chats', chatId, isHidden)
}

/** Archives a chat; the next message unarchives it. */
export function setArchived(memberId: string, chatId: string, isArchived: boolean): Promise<void> {
  return inOrder(memberId, 'archived_chats', chatId, isArchived)
}

type List = 'hidden_chats' | 'archived_chats'

/** The list is one value: of two changes at the same time, the second would write it without the first. */
function inOrder(memberId: string, list: List, chatId: string, isIn: boolean): Promise<void> {
  return saveInOrder(list, () => changeList(memberId, list, chatId, isIn))
}

async function changeList(
  memberId: string,
  list: List,
  chatId: string,
  isIn: boolean,
): Promise<void> {
  // Read right before writing: another device may have changed the list meanwhile.
  const { data, error } = await database
    .from('users')
    .select('hidden_chats, archived_chats')
    .eq('id', memberId)
    .single()
  if (error) throw error
  const others = (data[list] ?? []).filter((id) => id !== chatId)
  const changed = isIn ? [...others, chatId] : others
  const update = await database
    .from('users')
    .update(list === 'hidden_chats' ? { hidden_chats: changed } : { archived_chats: changed })
    .eq('id', memberId)
  if (update.error) throw update.error
}
