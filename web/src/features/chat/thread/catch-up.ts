import type { QueryClient } from '@tanstack/react-query'
import { noteUpToDate } from '#data/kept/kept-queries.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import {
  loadAllChanges,
  loadPage,
  messagesQuery,
  MISSED_PAGE_SIZE,
} from '#features/chat/model/message-queries.ts'
import {
  addChanges,
  addNewerPage,
  compareMessages,
  compareTimes,
  syncedFrom,
  type MessageWindow,
} from '#features/chat/model/message-window.ts'

/** A message can be stored slightly later than its timestamp, while its transaction was open. */
const OVERLAP_MS = 10_000

const underWay = new Map<string, Promise<void>>()

/**
 * Fetches what a thread missed while it was not subscribed: after sleep, a lost connection, or being closed.
 * Called again meanwhile, it runs once more afterwards, never concurrently.
 */
export function catchUp(client: QueryClient, chatId: string, memberId: string): Promise<void> {
  const key = `${memberId}:${chatId}`
  const before = underWay.get(key) ?? Promise.resolve()
  const run = before.catch(() => {}).then(() => fetchMissed(client, chatId, memberId))
  const tracked = run.finally(() => {
    if (underWay.get(key) === tracked) underWay.delete(key)
  })
  underWay.set(key, tracked)
  return tracked
}

async function fetchMissed(client: QueryClient, chatId: string, memberId: string): Promise<void> {
  const query = messagesQuery(chatId, memberId)
  // The first page may still be loading; messages sent meanwhile are in neither the page nor the window.
  const window = client.getQueryData(query.queryKey) ?? (await client.fetchQuery(query))
  const syncedTo = window.syncedTo ? Date.parse(window.syncedTo) : OVERLAP_MS
  const overlap = new Date(syncedTo - OVERLAP_MS).toISOString()
  // Not before the loaded messages: that would leave a gap if the page ended before the window begins.
  const first = window.messages[0]?.sent_at ?? overlap
  const since = window.hasOlder && compareTimes(first, overlap) > 0 ? first : overlap
  const known = new Set(window.messages.map(({ id }) => id))
  const [missed, changes] = await Promise.all([
    window.hasNewer ? NOTHING : loadMissed({ chatId, memberId, since }, known),
    loadAllChanges(chatId, overlap),
  ])
  const current = client.getQueryData(query.queryKey)
  // A jump, older pages or a trimmed end changed the window meanwhile; the fetched messages may not adjoin it.
  if (current?.messages[0]?.id !== window.messages[0]?.id || current?.hasNewer !== window.hasNewer)
    return fetchMissed(client, chatId, memberId)
  client.setQueryData<MessageWindow>(query.queryKey, current && caughtUp(current, missed, changes))
  noteUpToDate(client, query.queryKey)
}

type Missed = { messages: readonly Message[]; isComplete: boolean }
const NOTHING: Missed = { messages: [], isComplete: true }

/** One page of missed messages; known ones in the overlap don't count. */
async function loadMissed(
  from: { chatId: string; memberId: string; since: string },
  known: ReadonlySet<string>,
): Promise<Missed> {
  const messages: Message[] = []
  for (let { since } = from; ;) {
    const page = await loadPage({ ...from, since, limit: MISSED_PAGE_SIZE })
    messages.push(...page)
    const last = page.at(-1)
    if (!last || page.length < MISSED_PAGE_SIZE) return { messages, isComplete: true }
    if (!known.has(last.id) || last.sent_at === since) return { messages, isComplete: false }
    since = last.sent_at
  }
}

function caughtUp(current: MessageWindow, missed: Missed, changes: Missed): MessageWindow {
  const updated = addChanges(current, changes.messages)
  // More than a page was missed: the rest loads on scrolling down, like any later messages. Messages received
  // since reconnecting are beyond the gap, and are loaded again in turn.
  const { copiedAt: _, ...window } = missed.isComplete
    ? addNewerPage(updated, missed.messages, updated.hasNewer)
    : endingWith(addNewerPage(updated, missed.messages, true), missed.messages)
  const seen = changes.isComplete ? [...missed.messages, ...changes.messages] : changes.messages
  return { ...window, syncedTo: syncedFrom(window.syncedTo, seen) }
}

function endingWith(window: MessageWindow, page: readonly Message[]): MessageWindow {
  const last = page.at(-1)
  const messages = window.messages.filter((each) => !last || compareMessages(each, last) <= 0)
  return { ...window, messages }
}
