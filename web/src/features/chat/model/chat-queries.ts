import { PostgrestError } from '@supabase/postgrest-js'
import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow, Row } from '#data/database.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { readAllPages } from '#data/read-all-pages.ts'
import { database } from '#data/supabase.ts'
import type { ChatSummary } from './chat-types.ts'

export type Chat = Pick<Row<'chats'>, 'id' | 'name' | 'type' | 'created_by' | 'is_active'> &
  // Copies of older versions of the app have none of these.
  Partial<Pick<Row<'chats'>, 'updated_at' | 'updated_by'> & { pins: Pin[] }>

/** A pinned message; of the message what its line in the bar shows. */
export type Pin = Pick<Row<'chat_pins'>, 'message_id' | 'created_by' | 'created_at'> & {
  message: Pick<Row<'chat_messages'>, 'sender_id' | 'sent_at' | 'message'> &
    Partial<Pick<Row<'chat_messages'>, 'attachment'>>
}

/** Live events refresh it, not a timer. */
export const REFRESHED_LIVE = { refetchInterval: false, refetchOnReconnect: true } as const

/** The member's chats with title, last message and unread count, up to 500 per request. */
export const chatListQuery = (memberId: string) =>
  queryOptions({
    ...keptOnDevice(),
    queryKey: ['chats', 'list', memberId],
    queryFn: () =>
      readAllPages<ChatSummary>((first, last) =>
        database.rpc('chat_list').range(first, last).throwOnError(),
      ),
    ...REFRESHED_LIVE,
  })

/** The chats the member has hidden, which the list leaves out. */
export const hiddenChatsQuery = (memberId: string) =>
  queryOptions({
    queryKey: ['chats', 'hidden', memberId],
    queryFn: async () => {
      const chats = await callFunction('chat_list', { with_hidden: true })
      return chats.filter((chat) => chat.is_hidden)
    },
  })

/** One chat, or null when it does not exist or the member is not a participant. */
export const chatQuery = (chatId: string) =>
  queryOptions({
    // What was not there may be by now.
    ...keptOnDevice<Chat | null>({ fromKept: (chat) => chat ?? undefined }),
    queryKey: ['chats', 'one', chatId],
    queryFn: () => loadChat(chatId),
    ...REFRESHED_LIVE,
  })

const NOT_A_UUID = '22P02'

async function loadChat(chatId: string): Promise<Chat | null> {
  try {
    const { data } = await database
      .from('chats')
      .select(
        `id, name, type, created_by, is_active, updated_at, updated_by,
        pins:chat_pins(message_id, created_by, created_at, message:chat_messages(sender_id, sent_at, message, attachment))`,
      )
      .eq('id', chatId)
      .throwOnError()
      .maybeSingle()
    return data
  } catch (error) {
    if (error instanceof PostgrestError && error.code === NOT_A_UUID) return null
    throw error
  }
}

/** Whether the member left this group or was removed from it; null if neither. */
export const departureQuery = (chatId: string) =>
  queryOptions({
    queryKey: ['chats', 'departure', chatId],
    queryFn: async () => (await callFunction('chat_departure', { chat_id: chatId }))[0] ?? null,
    // An address that is no chat's is refused, which says nothing new.
    retry: false,
  })

export type ChatMember = ResultRow<'chat_members'>

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
