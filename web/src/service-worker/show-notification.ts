import { PRODUCT_NAME } from '#lib/product.ts'
import { readPushMessage } from './push-message.ts'

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

// Not every browser has a badge, and some refuse it to an app that is not installed.
async function showAppBadge(navigator: Badged, count: number): Promise<void> {
  const setting = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  await setting?.catch(() => undefined)
}
