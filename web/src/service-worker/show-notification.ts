import { PRODUCT_NAME } from '#domain/product.ts'
import type { PushData } from '#domain/push-target.ts'

type Badged = { setAppBadge?(count: number): Promise<void>; clearAppBadge?(): Promise<void> }

export async function showNotification(
  worker: ServiceWorkerGlobalScope,
  data: PushMessageData | null,
): Promise<void> {
  const { title, body, tag, badge, data: details } = readPushMessage(data?.text(), PRODUCT_NAME)
  await worker.registration.showNotification(title, {
    body,
    tag,
    data: details,
    icon: '/icons/icon-192.png',
    badge: '/icons/monochrome-96.png',
  })
  if (badge !== undefined) await showAppBadge(worker.navigator, badge)
}

// Not every browser has badges, and some refuse them to an app that is not installed.
async function showAppBadge(navigator: Badged, count: number): Promise<void> {
  const setting = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  await setting?.catch(() => undefined)
}

/** A push payload; see docs/push.md. */
type PushMessage = {
  title: string
  body: string
  /** A newer notification replaces an older one with the same tag. */
  tag?: string
  /** The number on the app icon. */
  badge?: number
  data: PushData
}

/** Parses a push; an unreadable one is still shown, because browsers require a notification. */
export function readPushMessage(text: string | undefined, fallbackTitle: string): PushMessage {
  try {
    const { title, body, tag, badge, data } = JSON.parse(text ?? '') as Partial<PushMessage>
    return { title: title ?? fallbackTitle, body: body ?? '', tag, badge, data: data ?? {} }
  } catch {
    return { title: fallbackTitle, body: '', data: {} }
  }
}
