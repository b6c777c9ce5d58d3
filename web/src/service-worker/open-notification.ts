import { pathOf, type PushData } from '#domain/push-target.ts'

/** Focuses an open window and navigates it to a notification's target, or opens one there. */
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
  // A browser may refuse to focus the window; navigate it anyway.
  await open.focus().catch(() => undefined)
  open.postMessage({ type: 'open-notification', data: details })
}

/** The most recently focused window of the app. */
async function openWindow({ clients }: ServiceWorkerGlobalScope) {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  return windows.find(({ url }) => {
    const { pathname } = new URL(url)
    return !NOT_THE_APP.some((pattern) => pattern.test(pathname))
  })
}

/** Paths of the API and the mailbox: pages there aren't part of the app. */
export const NOT_THE_APP = [/^\/(_mail|auth|rest|batch|storage|realtime|functions)(\/|$)/, /\.\w+$/]
