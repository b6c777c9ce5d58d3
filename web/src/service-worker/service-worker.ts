// Opens the app offline, and shows push notifications while it is closed.
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { isContentImage, respondWithImage } from './offline-images.ts'
import { NOT_THE_APP, openNotification } from './open-notification.ts'
import { showNotification } from './show-notification.ts'

declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST: { url: string; revision: string | null }[]
}

precacheAndRoute(self.__WB_MANIFEST)
cleanupOutdatedCaches()
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: NOT_THE_APP }),
)
registerRoute(
  ({ url }) => url.pathname === '/config.json',
  ({ request }) => respondWithConfig(request),
)
registerRoute(
  ({ url, request }) => request.destination === 'image' && isContentImage(url),
  ({ request }) => respondWithImage(request),
)

self.addEventListener('install', (event) => event.waitUntil(keepConfig()))
// Controls the page of the first visit too, not only the next one.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

// A new version waits for the member's consent, so that nothing changes mid-use.
self.addEventListener('message', (event) => {
  if ((event.data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})

self.addEventListener('push', (event) => {
  event.waitUntil(showNotification(self, event.data))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openNotification(self, event.notification.data))
})

const CACHE = 'config'
const PATH = '/config.json'

/**
 * On a first visit the page asked before the worker could cache the response. A hosted build has no such
 * file.
 */
async function keepConfig(): Promise<void> {
  await (await caches.open(CACHE)).add(PATH).catch(() => undefined)
}

/** Network first; offline, the configuration of the last visit. */
async function respondWithConfig(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(PATH, response.clone())
    return response
  } catch (error) {
    const kept = await cache.match(PATH)
    if (kept) return kept
    throw error
  }
}
