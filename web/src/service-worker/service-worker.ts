// Makes the app open without a network, and shows push notifications while it is closed.
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { openNotification } from './open-notification.ts'
import { answerConfig, keepConfig } from './offline-config.ts'
import { answerImage, isContentImage } from './offline-images.ts'
import { showNotification } from './show-notification.ts'
import { NOT_THE_APP } from './the-app.ts'

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
  ({ request }) => answerConfig(request),
)
registerRoute(
  ({ url, request }) => request.destination === 'image' && isContentImage(url),
  ({ request }) => answerImage(request),
)

self.addEventListener('install', (event) => event.waitUntil(keepConfig()))
// The page of the first visit is looked after too, not only the next one.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

// A new version waits until the person agrees, so that nothing changes under their hands.
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
