import type { QueryClient } from '@tanstack/react-query'
import { loadChanges, loadPage, messagesQuery, MISSED_PAGE_SIZE } from './message-queries.ts'
import {
  addChanges,
  addNewerPage,
  compareTimes,
  latestChange,
  type MessageWindow,
} from './message-window.ts'

/** A message can be stored a little later than its time says, while its transaction was open. */
const OVERLAP_MS = 10_000

const underWay = new Map<string, Promise<void>>()

/**
 * Fetches what a thread missed while nothing was heard: after sleep, a lost connection, or being
 * closed. Asked for again meanwhile, it runs once more afterwards and not beside itself.
 */
export function catchUp(client: QueryClient, chatId: string, memberId: string): Promise<void> {
  const key = `${memberId}:${chatId}`
  const before = underWay.get(key)
  const run = (before ?? Promise.resolve()).then(() => fetchMissed(client, chatId, memberId))
  const tracked = run.finally(() => {
    if (underWay.get(key) === tracked) underWay.delete(key)
  })
  underWay.set(key, tracked)
  return tracked
}

async function fetchMissed(client: QueryClient, chatId: string, memberId: string): Promise<void> {
  const { queryKey } = messagesQuery(chatId, memberId)
  const window = client.getQueryData<MessageWindow>(queryKey)
  const cursor = window && latestChange(window.messages)
  if (!window) return
  if (!cursor) return void (await client.refetchQueries({ queryKey }))
  const overlap = new Date(Date.parse(cursor) - OVERLAP_MS).toISOString()
  // Not before what is loaded: that would leave a hole, should the page end before the window begins.
  const first = window.messages[0]?.sent_at ?? overlap
  const since = window.hasOlder && compareTimes(first, overlap) > 0 ? first : overlap
  const [page, changes] = await Promise.all([
    window.hasNewer ? [] : loadPage({ chatId, memberId, since, limit: MISSED_PAGE_SIZE }),
    loadChanges(chatId, overlap),
  ])
  client.setQueryData<MessageWindow>(queryKey, (current) => {
    if (!current) return current
    const updated = addChanges(current, changes)
    // More than a page was missed: the rest loads like any later messages, on scrolling down.
    return addNewerPage(updated, page, updated.hasNewer || page.length === MISSED_PAGE_SIZE)
  })
}
