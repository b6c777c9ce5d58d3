import { appPath } from '#lib/app-path.ts'

/** The target fields of a push payload, see docs/push.md. Unvalidated, so every field may be missing. */
export type PushData = { chat_id?: unknown; notice_id?: unknown; link?: unknown }

/** The chat a notification is about, if any. */
export function chatOf({ chat_id }: PushData): string | null {
  return typeof chat_id === 'string' && chat_id ? chat_id : null
}

/**
 * The app path a notification leads to; Notifications if it isn't one of ours. Carries the notice's id, so
 * that the page can report it as opened.
 */
export function pathOf(data: PushData): string {
  const chatId = chatOf(data)
  if (chatId) return `/chat/${encodeURIComponent(chatId)}`
  const { link, notice_id } = data
  const path = typeof link === 'string' && link === appPath(link) ? link : '/notifications'
  if (typeof notice_id !== 'string' || !notice_id) return path
  const address = new URL(path, 'https://app.invalid')
  address.searchParams.set('notice', notice_id)
  return address.pathname + address.search + address.hash
}
