import { database } from '#lib/supabase.ts'

type ChatLists = { hidden_chats: string[] | null; archived_chats: string[] | null }

/** Takes a chat out of the member's list and badge, or brings it back. */
export function setHidden(memberId: string, chatId: string, isHidden: boolean): Promise<void> {
  return changeList(memberId, 'hidden_chats', chatId, isHidden)
}

/** Moves a chat to the archive, from where the next message brings it back. */
export function setArchived(memberId: string, chatId: string, isArchived: boolean): Promise<void> {
  return changeList(memberId, 'archived_chats', chatId, isArchived)
}

async function changeList(
  memberId: string,
  list: keyof ChatLists,
  chatId: string,
  isIn: boolean,
): Promise<void> {
  // Read right before writing: another device may have changed the list meanwhile.
  const { data, error } = await database
    .from('users')
    .select('hidden_chats, archived_chats')
    .eq('id', memberId)
    .single<ChatLists>()
  if (error) throw error
  const others = (data[list] ?? []).filter((id) => id !== chatId)
  const changed = { [list]: isIn ? [...others, chatId] : others }
  const update = await database.from('users').update(changed).eq('id', memberId)
  if (update.error) throw update.error
}

export async function showAllHidden(memberId: string): Promise<void> {
  const { error } = await database.from('users').update({ hidden_chats: [] }).eq('id', memberId)
  if (error) throw error
}
