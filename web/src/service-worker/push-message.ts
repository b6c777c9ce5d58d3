/** What a push carries; see docs/push.md. */
export type PushMessage = {
  title: string
  body: string
  /** A newer notification with the same tag takes the place of an older one. */
  tag?: string
  /** The number on the app's icon. */
  badge?: number
  data: PushData
}

export type PushData = { chat_id?: string; notice_id?: string; link?: string }

/** Reads what arrived; a push that says nothing readable is still shown, because browsers insist on it. */
export function readPushMessage(text: string | undefined, fallbackTitle: string): PushMessage {
  try {
    const { title, body, tag, badge, data } = JSON.parse(text ?? '') as Partial<PushMessage>
    return { title: title ?? fallbackTitle, body: body ?? '', tag, badge, data: data ?? {} }
  } catch {
    return { title: fallbackTitle, body: '', data: {} }
  }
}

/** The path of the app that a notification leads to. Anything that is no path of ours leads to the start. */
export function pathOf({ chat_id, link }: PushData): string {
  if (chat_id) return `/chat/${encodeURIComponent(chat_id)}`
  return link && /^\/(?!\/)/.test(link) ? link : '/notifications'
}
