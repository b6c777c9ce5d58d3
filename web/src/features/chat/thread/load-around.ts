import { loadMessage, loadPage, MESSAGE_PAGE_SIZE } from './message-queries.ts'
import { mergeMessages, syncedFrom, type MessageWindow } from './message-window.ts'

/** A stretch of the past has no message that tells the server's time of reading it. */
const CLOCKS_DIFFER_MS = 5 * 60_000

/** The messages before and after one of them, or null when it is not (or no longer) there. */
export async function loadAround(
  chatId: string,
  messageId: string,
  memberId: string,
): Promise<MessageWindow | null> {
  const target = await loadMessage(messageId, memberId)
  if (!target || target.chat_id !== chatId) return null
  const limit = MESSAGE_PAGE_SIZE
  const [older, newer] = await Promise.all([
    loadPage({ chatId, memberId, until: target.sent_at, limit }),
    loadPage({ chatId, memberId, since: target.sent_at, limit }),
  ])
  const messages = mergeMessages(older, newer)
  const hasNewer = newer.length === limit
  return {
    messages,
    hasOlder: older.length === limit,
    hasNewer,
    syncedTo: hasNewer
      ? new Date(Date.now() - CLOCKS_DIFFER_MS).toISOString()
      : syncedFrom(null, messages),
  }
}
