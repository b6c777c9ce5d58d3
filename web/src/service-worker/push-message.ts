import type { PushData } from '#lib/push-target.ts'

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

/** Reads what arrived; a push that says nothing readable is still shown, because browsers insist on it. */
export function readPushMessage(text: string | undefined, fallbackTitle: string): PushMessage {
  try {
    const { title, body, tag, badge, data } = JSON.parse(text ?? '') as Partial<PushMessage>
    return { title: title ?? fallbackTitle, body: body ?? '', tag, badge, data: data ?? {} }
  } catch {
    return { title: fallbackTitle, body: '', data: {} }
  }
}
