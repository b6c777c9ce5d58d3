import { PostgrestError } from '@supabase/postgrest-js'
import { queryOptions } from '@tanstack/react-query'
import { database } from '#lib/supabase.ts'
import { callFunction } from '#lib/call-function.ts'
import type { ChatSummary, ChatType, Member } from './chat-types.ts'
import { FINDS_COPY, readOrCopy } from './read-or-copy.ts'

export type Chat = {
  id: string
  name: string | null
  type: ChatType
  created_by: string | null
  is_active: boolean
}

/** All chats of the member, each with title, last message and unread count: one request. */
export const chatListQuery = (memberId: string) =>
  queryOptions({
    ...FINDS_COPY,
    queryKey: ['chats', 'list', memberId],
    queryFn: async (context) => {
      const read = () => callFunction<ChatSummary[]>('chat_list')
      return (await readOrCopy(context, `chats ${memberId}`, read)).data
    },
  })

/** One chat, or null when there is none by this id or the member is not part of it. */
export const chatQuery = (chatId: string) =>
  queryOptions({
    ...FINDS_COPY,
    queryKey: ['chats', 'one', chatId],
    queryFn: async (context) =>
      (await readOrCopy(context, `chat ${chatId}`, () => loadChat(chatId))).data,
  })

const NOT_A_UUID = '22P02'

async function loadChat(chatId: string): Promise<Chat | null> {
  try {
    const { data } = await database
      .from('chats')
      .select('id, name, type, created_by, is_active')
      .eq('id', chatId)
      .throwOnError()
      .maybeSingle<Chat>()
    return data
  } catch (error) {
    if (error instanceof PostgrestError && error.code === NOT_A_UUID) return null
    throw error
  }
}

export type ChatMember = Member & { is_creator: boolean; joined_at: string }

export const MEMBER_PAGE_SIZE = 50

/** Participants by name, the creator first; for the member list and the mentions. */
export const chatMembersQuery = (chatId: string, search = '') =>
  queryOptions({
    queryKey: ['chat_participants', chatId, search],
    queryFn: () => loadChatMembers(chatId, search, 0),
  })

export function loadChatMembers(
  chatId: string,
  search: string,
  skip: number,
): Promise<ChatMember[]> {
  return callFunction('chat_members', {
    chat_id: chatId,
    query: search,
    max_results: MEMBER_PAGE_SIZE,
    skip,
  })
}
