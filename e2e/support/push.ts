import { expect, type BrowserContext, type CDPSession, type Page } from '@playwright/test'

/** Talks to the page's service worker as the browser's push service would. */
export async function aPushService(page: Page, origin: string) {
  const session = await page.context().newCDPSession(page)
  const registrationId = await workerOf(session)
  const service = 'pushMessaging'
  await session.send('BackgroundService.startObserving', { service })
  await session.send('BackgroundService.setRecording', { service, shouldRecord: true })
  return {
    /**
     * Resolves once the worker has shown the message. Do not list notifications before: `getNotifications` makes Chromium
     * forget one that is not on the screen yet.
     */
    deliver: async (message: unknown) => {
      const handled = pushHandled(session)
      const data = JSON.stringify(message)
      await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
      expect(await handled).toBe('Success')
    },
  }
}

/** How the worker's next push event ends: `Success`, or the browser's word for what went wrong. */
function pushHandled(session: CDPSession): Promise<string | undefined> {
  return new Promise((resolve) => {
    session.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent }) => {
      const { eventName, eventMetadata } = backgroundServiceEvent
      if (eventName !== 'Push event completed') return
      resolve(eventMetadata.find(({ key }) => key === 'Status')?.value)
    })
  })
}

async function workerOf(session: CDPSession): Promise<string> {
  let id = ''
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    id = registrations.find((each) => !each.isDeleted)?.registrationId ?? id
  })
  await session.send('ServiceWorker.enable')
  await expect.poll(() => id, { message: 'a registered service worker' }).not.toBe('')
  return id
}

/** The service worker is active and controls the page. */
export async function workerInCharge(page: Page): Promise<void> {
  const isInCharge = () =>
    page.evaluate(async () => {
      await navigator.serviceWorker.ready
      return navigator.serviceWorker.controller !== null
    })
  if (!(await isInCharge())) await page.reload()
  await expect.poll(isInCharge).toBe(true)
}

export async function shownNotifications(page: Page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const shown = await registration.getNotifications()
    return shown.map(({ title, body, tag }) => ({ title, body, tag }))
  })
}

/** The service-worker globals the test needs. */
type WorkerGlobals = {
  registration: { getNotifications(): Promise<Notification[]> }
  dispatchEvent(event: Event): boolean
  NotificationEvent: new (type: string, init: { notification: Notification }) => Event
  WindowClient: { prototype: { focus(): Promise<unknown> } }
  clients: { openWindow(path: string): Promise<unknown> }
}

/** A click on the shown notification, as the worker receives it. */
export async function clickNotification(page: Page): Promise<void> {
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error('there is no service worker')
  await worker.evaluate(async () => {
    const scope = self as unknown as WorkerGlobals
    const [notification] = await scope.registration.getNotifications()
    if (!notification) throw new Error('no notification is shown')
    // A real click allows the worker to focus a window; a scripted event does not.
    scope.WindowClient.prototype.focus = () => Promise.resolve()
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
  })
}

type Subscription = { endpoint: string; p256dh: string; auth: string }

/**
 * The browser without a real push service: subscribing returns an address and keys of the test's own.
 * Everything else is real.
 */
export async function stubSubscribing(page: Page, given?: Subscription): Promise<void> {
  await page.addInitScript((given) => {
    const keys = given ?? {
      p256dh:
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const KEPT = 'stubbed-subscription'
    const subscription = () => {
      const endpoint = sessionStorage.getItem(KEPT)
      if (!endpoint) return null
      const unsubscribe = () => Promise.resolve(sessionStorage.removeItem(KEPT))
      return { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe }
    }
    const current = () => Promise.resolve(subscription() as unknown as PushSubscription)
    PushManager.prototype.getSubscription = current
    PushManager.prototype.subscribe = () => {
      // Subscribing again returns the existing subscription.
      const fresh = given?.endpoint ?? `https://push.example.com/${crypto.randomUUID()}`
      sessionStorage.setItem(KEPT, sessionStorage.getItem(KEPT) ?? fresh)
      return current()
    }
  }, given)
}

/**
 * A click with no window open. Opening one needs a real click, which a script cannot make: returns the URL
 * the worker asked for, for the test to open.
 */
export async function clickWithoutWindow(context: BrowserContext): Promise<string> {
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('there is no service worker')
  const shown = () =>
    worker.evaluate(async () => {
      const scope = self as unknown as WorkerGlobals
      return (await scope.registration.getNotifications()).length
    })
  await expect.poll(shown).toBe(1)
  return worker.evaluate(async () => {
    const scope = self as unknown as WorkerGlobals
    const [notification] = await scope.registration.getNotifications()
    return new Promise<string>((resolve) => {
      scope.clients.openWindow = (path: string) => Promise.resolve(resolve(path))
      scope.dispatchEvent(
        new scope.NotificationEvent('notificationclick', { notification: notification! }),
      )
    })
  })
}
