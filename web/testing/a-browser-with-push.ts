import { vi } from 'vitest'

export const ENDPOINT = 'https://push.example.com/1'

/** A browser with push: its permission, and whether it is subscribed. */
export function aBrowser({
  permission = 'default',
  answer = 'granted',
  isSubscribed = false,
} = {}) {
  const subscription = {
    endpoint: ENDPOINT,
    toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: () => Promise.resolve(true),
  }
  const pushManager = {
    getSubscription: () => Promise.resolve(isSubscribed ? subscription : null),
    subscribe: () => Promise.resolve(subscription),
  }
  const registration = { pushManager }
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', { permission, requestPermission: () => Promise.resolve(answer) })
  vi.stubGlobal('navigator', {
    ...navigator,
    userAgent: 'A browser',
    serviceWorker: {
      ready: Promise.resolve(registration),
      getRegistration: () => Promise.resolve(registration),
    },
  })
  return { pushManager, subscription }
}

export const PUSH_BACKEND = {
  'POST /rest/v1/rpc/push_public_key': { body: 'key' },
  'POST /rest/v1/rpc/register_push_device': { body: 'd1' },
  'POST /rest/v1/rpc/remove_push_device': {},
}
