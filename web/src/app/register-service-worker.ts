// The service worker is there in built apps in a browser; the native shells bring their own push and offline start.
import { offerUpdate } from './update-offer.ts'

type OpenNotification = { type: 'open-notification'; chatId: string | null; path: string }

/** Registers it once the page has what it needs, and hears what it has to say. Failing is only logged. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || 'Capacitor' in window) return
  navigator.serviceWorker.addEventListener(
    'message',
    ({ data }: MessageEvent<OpenNotification>) => {
      if (data.type === 'open-notification') openFromNotification(data)
    },
  )
  window.addEventListener('load', () => {
    navigator.serviceWorker
      .register('/service-worker.js')
      .then(watchForUpdate)
      .catch((error: unknown) => console.error('The service worker was not registered', error))
  })
}

/** The product's own event for chats; everything else is a path of the app. */
function openFromNotification({ chatId, path }: OpenNotification) {
  const event = chatId
    ? new CustomEvent('navigate-to-chat', { detail: { chatId } })
    : new CustomEvent('navigate-to-path', { detail: { path } })
  window.dispatchEvent(event)
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
