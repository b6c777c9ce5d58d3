import { loadMessage, loadPage, MESSAGE_PAGE_SIZE } from './message-queries.ts'
import { mergeMessages, type MessageWindow } from './message-window.ts'

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
  return {
    messages: mergeMessages(older, newer),
    hasOlder: older.length === limit,
    hasNewer: newer.length === limit,
  }
}
