/** What a push carries about its place; see docs/push.md. It comes as it came, so every part may be missing. */
export type PushData = { chat_id?: unknown; notice_id?: unknown; link?: unknown }

/** The chat a notification is about, if it is about one. */
export function chatOf({ chat_id }: PushData): string | null {
  return typeof chat_id === 'string' && chat_id ? chat_id : null
}

/**
 * The path of the app that a notification leads to. Anything that is no path of ours leads to Notifications. The
 * notice rides along, so that the page can say it was opened.
 */
export function pathOf(data: PushData): string {
  const chatId = chatOf(data)
  if (chatId) return `/chat/${encodeURIComponent(chatId)}`
  const { link, notice_id } = data
  const path = typeof link === 'string' && /^\/(?!\/)/.test(link) ? link : '/notifications'
  if (typeof notice_id !== 'string' || !notice_id) return path
  const address = new URL(path, 'https://app.invalid')
  address.searchParams.set('notice', notice_id)
  return address.pathname + address.search + address.hash
}
