// Only built apps in a browser have the service worker; the native shells have their own push and offline
// start.
import { goToTarget } from '#app/notifications/go-to-target.ts'
import type { PushData } from '#domain/push-target.ts'
import { offerUpdate } from './update-offer.ts'

type OpenNotification = { type: 'open-notification'; data: PushData }

/** Registers it once the page has loaded, and listens to its messages. Failures are only logged. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || 'Capacitor' in window) return
  navigator.serviceWorker.addEventListener(
    'message',
    ({ data }: MessageEvent<OpenNotification>) => {
      if (data.type === 'open-notification') goToTarget(data.data)
    },
  )
  window.addEventListener('load', () => {
    navigator.serviceWorker
      .register('/service-worker.js')
      .then(watchForUpdate)
      .catch((error: unknown) => console.error('The service worker was not registered', error))
  })
}

function watchForUpdate(registration: ServiceWorkerRegistration) {
  const offer = () => {
    // Without a controller this is the first visit: there is no older version to replace.
    if (registration.waiting && navigator.serviceWorker.controller)
      offerUpdate(registration.waiting)
  }
  offer()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', offer)
  })
}
