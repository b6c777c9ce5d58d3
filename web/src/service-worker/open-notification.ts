import { pathOf, type PushData } from './push-message.ts'

/** Brings an open window to the place a notification is about, or opens one there. */
export async function openNotification(
  worker: ServiceWorkerGlobalScope,
  data: unknown,
): Promise<void> {
  const details = (data ?? {}) as PushData
  const path = pathOf(details)
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows[0]
  if (!open) {
    await worker.clients.openWindow(path)
    return
  }
  await open.focus()
  open.postMessage({ type: 'open-notification', chatId: details.chat_id ?? null, path })
}
