import { pathOf, type PushData } from '#lib/push-target.ts'
import { NOT_THE_APP } from './the-app.ts'

/** Brings an open window to the place a notification is about, or opens one there. */
export async function openNotification(
  worker: ServiceWorkerGlobalScope,
  data: unknown,
): Promise<void> {
  const details = (data ?? {}) as PushData
  const open = await openWindow(worker)
  if (!open) {
    await worker.clients.openWindow(pathOf(details))
    return
  }
  // A browser may refuse to bring the window forward; it is told all the same.
  await open.focus().catch(() => undefined)
  open.postMessage({ type: 'open-notification', data: details })
}

/** The window the member looked at last, of those that show the app. */
async function openWindow({ clients }: ServiceWorkerGlobalScope) {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  return windows.find(({ url }) => {
    const { pathname } = new URL(url)
    return !NOT_THE_APP.some((pattern) => pattern.test(pathname))
  })
}
