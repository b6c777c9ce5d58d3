import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { database } from '#data/supabase.ts'
import type { Message } from './chat-types.ts'
import { asCopy, joinNewest, keptPart, syncedFrom, type MessageWindow } from './message-window.ts'

export const MESSAGE_PAGE_SIZE = 50
export const MISSED_PAGE_SIZE = 200

const COLUMNS =
  `id, chat_id, sender_id, message, sent_at, is_deleted, is_removed, changed_at, edited_at,
  deleted_reason,
  reply_to, forwarded_from, mentions, attachment, reaction_counts` as const

/** The loaded part of a thread, kept up to date by live events and catch-up. */
export const messagesQuery = (chatId: string, memberId: string) =>
  queryOptions({
    ...keptOnDevice<MessageWindow>({ toKeep: keptPart, fromKept: asCopy }),
    queryKey: ['chat_messages', chatId],
    queryFn: async ({ client, queryKey }): Promise<MessageWindow> => {
      const page = await loadNewest(chatId, memberId)
      const shown = client.getQueryData<MessageWindow>(queryKey)
      // Whatever this page cannot tell of a copy, catching up does.
      return shown ? joinNewest(shown, page) : { ...page, readAt: Date.now() }
    },
    staleTime: Infinity,
    // Catching up does more.
    refetchInterval: false,
  })

export async function loadNewest(chatId: string, memberId: string): Promise<MessageWindow> {
  const page = await loadPage({ chatId, memberId, limit: MESSAGE_PAGE_SIZE + 1 })
  const hasOlder = page.length > MESSAGE_PAGE_SIZE
  const messages = page.slice(hasOlder ? 1 : 0)
  return { messages, hasOlder, hasNewer: false, syncedTo: syncedFrom(null, messages) }
}

type PageRequest = {
  chatId: string
  memberId: string
  limit: number
  /** Inclusive, so messages with the same timestamp are not skipped; merging removes duplicates. */
  until?: string
  since?: string
}

/** A page in server order: the oldest from `since` on, otherwise the newest. */
export async function loadPage(request: PageRequest): Promise<Message[]> {
  const ascending = request.since !== undefined
  let query = messagesOf(request.memberId).eq('chat_id', request.chatId)
  if (request.until) query = query.lte('sent_at', request.until)
  if (request.since) query = query.gte('sent_at', request.since)
  const { data } = await query
    .order('sent_at', { ascending })
    .order('id', { ascending })
    .limit(request.limit)
    .throwOnError()
  const messages = data.map(toMessage)
  return ascending ? messages : messages.reverse()
}

/** One message, or null when the member may not read it. */
export async function loadMessage(id: string, memberId: string): Promise<Message | null> {
  const { data, error } = await messagesOf(memberId).eq('id', id).maybeSingle()
  if (error) throw error
  return data && toMessage(data)
}

/** Beyond this many changes, reloading the thread is cheaper. */
const MOST_CHANGE_PAGES = 10

/** Edits, deletions and reactions since a timestamp, page by page. */
export async function loadAllChanges(
  chatId: string,
  since: string,
): Promise<{ messages: Message[]; isComplete: boolean }> {
  const messages: Message[] = []
  let from = since
  for (let page = 0; page < MOST_CHANGE_PAGES; page++) {
    const changes = await loadChanges(chatId, from)
    messages.push(...changes)
    const last = changes.at(-1)?.changed_at
    // A full page with a single timestamp would be returned forever.
    if (changes.length < MISSED_PAGE_SIZE || !last || last === from)
      return { messages, isComplete: true }
    from = last
  }
  return { messages, isComplete: false }
}

function loadChanges(chatId: string, since: string): Promise<Message[]> {
  return callFunction('chat_changes', { chat_id: chatId, since, max_results: MISSED_PAGE_SIZE })
}

type MessageRow = ResultRow<'chat_changes'> & { my_reactions: { emoji: string }[] }

function messagesOf(memberId: string) {
  return database
    .from('chat_messages')
    .select(`${COLUMNS}, my_reactions:chat_reactions(emoji)`)
    .eq('my_reactions.user_id', memberId)
}

function toMessage(row: MessageRow): Message {
  return { ...row, my_reactions: row.my_reactions.map(({ emoji }) => emoji) }
}
