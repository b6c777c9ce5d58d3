import { loadPage, MESSAGE_PAGE_SIZE } from '#features/chat/model/message-queries.ts'
import {
  mergeMessages,
  syncedFrom,
  type MessageWindow,
} from '#features/chat/model/message-window.ts'

/** A window in the past contains no message that tells the server's time of the read. */
const CLOCKS_DIFFER_MS = 5 * 60_000

/** The messages before and after a moment; null is the beginning of the chat. */
export async function loadAround(
  chatId: string,
  memberId: string,
  moment: string | null,
): Promise<MessageWindow> {
  const limit = MESSAGE_PAGE_SIZE
  const since = moment ?? new Date(0).toISOString()
  const [older, newer] = await Promise.all([
    moment ? loadPage({ chatId, memberId, until: moment, limit }) : [],
    loadPage({ chatId, memberId, since, limit }),
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
