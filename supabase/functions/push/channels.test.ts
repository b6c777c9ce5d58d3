import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  startFcm,
  startPushService,
  type Fcm,
  type PushService,
} from '../../tests/push-providers.ts'
import type { Channel, Delivery } from './delivery.ts'
import { openChannels, type PushSettings } from './open-channels.ts'
import { makeVapidKeys } from './web-push.ts'

let fcm: Fcm
let service: PushService
let settings: PushSettings
let now = Date.now()
const clock = { now: () => now }

beforeAll(async () => {
  fcm = await startFcm()
  service = await startPushService()
  const { publicKey, privateKey } = await makeVapidKeys()
  settings = {
    PUSH_FCM_SERVICE_ACCOUNT: fcm.serviceAccount,
    PUSH_VAPID_PUBLIC_KEY: publicKey,
    PUSH_VAPID_PRIVATE_KEY: privateKey,
    PUSH_VAPID_SUBJECT: 'mailto:admin@team.test',
  }
})
afterAll(async () => {
  await fcm.close()
  await service.close()
})
beforeEach(() => {
  now = Date.now()
  for (const provider of [fcm, service]) {
    provider.received.length = 0
    provider.responses.length = 0
  }
})

function open(name: string, anyPushService = true, more: PushSettings = {}): Channel {
  const check = anyPushService ? { isPushService: () => true } : {}
  const { channels } = openChannels(
    { ...settings, ...more },
    {
      clock,
      apnsSender: () => Promise.reject(new Error('not here')),
      fcmAddress: fcm.address,
      ...check,
    },
  )
  return channels.find((channel) => channel.name === name)!
}

function aDelivery(more: Partial<Delivery> = {}): Delivery {
  return {
    id: 1,
    attempt: 1,
    channel: 'fcm',
    token: 'device-token',
    p256dh: null,
    auth: null,
    kind: 'message',
    title: 'Deal desk',
    body: 'Maya Ortiz: signed!',
    chat_id: 'c-1',
    message_id: 'm-1',
    notice_id: null,
    link: '/chat/c-1',
    sent_at: null,
    badge: 3,
    collapse_key: 'c-1',
    is_pressing: false,
    ...more,
  }
}

const send = (channel: Channel, delivery: Delivery, timeoutMs = 5000) =>
  channel.send(delivery, AbortSignal.timeout(timeoutMs))

describe('FCM', () => {
  test('gets the text, the chat and the badge, collapsing per chat', async () => {
    expect(await send(open('fcm'), aDelivery())).toEqual({ outcome: 'sent' })
    expect(fcm.received).toMatchObject([
      {
        to: 'device-token',
        payload: {
          notification: { title: 'Deal desk', body: 'Maya Ortiz: signed!' },
          data: { kind: 'message', chat_id: 'c-1', link: '/chat/c-1', badge: '3' },
          android: { collapse_key: 'c-1', notification: { tag: 'c-1', notification_count: 3 } },
          apns: { headers: { 'apns-collapse-id': 'c-1' }, payload: { aps: { badge: 3 } } },
        },
      },
    ])
  })

  test('is asked for a new access token only shortly before the old one expires', async () => {
    const channel = open('fcm')
    const before = fcm.tokensIssued()
    await Promise.all([1, 2, 3].map(() => send(channel, aDelivery())))
    expect(fcm.tokensIssued()).toBe(before + 1)
    now += 51 * 60 * 1000
    await send(channel, aDelivery())
    expect(fcm.tokensIssued()).toBe(before + 2)
  })

  test.each([
    [404, { status: 'NOT_FOUND', details: [{ errorCode: 'UNREGISTERED' }] }, 'gone'],
    [403, { status: 'PERMISSION_DENIED', details: [{ errorCode: 'SENDER_ID_MISMATCH' }] }, 'gone'],
    [
      400,
      { status: 'INVALID_ARGUMENT', details: [{ fieldViolations: [{ field: 'message.token' }] }] },
      'gone',
    ],
    [400, { status: 'INVALID_ARGUMENT', details: [{ errorCode: 'INVALID_ARGUMENT' }] }, 'failed'],
    [401, {}, 'retry'],
    [429, { details: [{ errorCode: 'QUOTA_EXCEEDED' }] }, 'retry'],
    [503, { status: 'UNAVAILABLE' }, 'retry'],
  ])('%i %j means %s', async (status, error, outcome) => {
    fcm.responses.push({ status, body: JSON.stringify({ error }) })
    expect(await send(open('fcm'), aDelivery())).toMatchObject({ outcome })
  })

  test('after a 401 the next attempt uses a new token', async () => {
    const channel = open('fcm')
    fcm.responses.push({ status: 401, body: '{}' })
    expect(await send(channel, aDelivery())).toMatchObject({ outcome: 'retry' })
    expect(await send(channel, aDelivery())).toEqual({ outcome: 'sent' })
  })
})

describe('web push', () => {
  const toBrowser = (more: Partial<Delivery> = {}) => {
    const { endpoint, p256dh, auth } = service.subscribe()
    return aDelivery({ channel: 'web', token: endpoint, p256dh, auth, ...more })
  }

  test('arrives encrypted, signed and with a topic', async () => {
    expect(await send(open('web'), toBrowser({ is_pressing: true }))).toEqual({ outcome: 'sent' })
    expect(service.received).toMatchObject([
      {
        payload: {
          title: 'Deal desk',
          body: 'Maya Ortiz: signed!',
          tag: 'c-1',
          badge: 3,
          data: { kind: 'message', chat_id: 'c-1', message_id: 'm-1', link: '/chat/c-1' },
        },
        headers: {
          urgency: 'high',
          ttl: '86400',
          topic: expect.stringMatching(/^[\w-]{1,32}$/) as string,
        },
      },
    ])
  })

  test('a long text is shortened to fit', async () => {
    const delivery = toBrowser({ body: '☕'.repeat(2000), title: '☕'.repeat(500) })
    expect(await send(open('web'), delivery)).toEqual({ outcome: 'sent' })
    expect(service.received[0]?.payload.body).toBe(`${'☕'.repeat(239)}…`)
  })

  test('an expired subscription is reported as gone', async () => {
    const unknown = { ...toBrowser(), token: `${service.address}/push/nobody` }
    expect(await send(open('web'), unknown)).toMatchObject({
      outcome: 'gone',
      reason: '410 expired',
    })
    expect(await send(open('web'), toBrowser({ p256dh: 'AAAA' }))).toMatchObject({
      outcome: 'gone',
    })
  })

  test.each(['120', new Date(Date.now() + 120_000).toUTCString()])(
    'a busy service is given the time it asks for: %s',
    async (header) => {
      service.responses.push({ status: 429, headers: { 'retry-after': header } })
      const outcome = await send(open('web'), toBrowser())
      expect(outcome).toMatchObject({ outcome: 'retry' })
      const { retry_after_seconds } = outcome as { retry_after_seconds: number }
      expect(retry_after_seconds).toBeGreaterThan(115)
      expect(retry_after_seconds).toBeLessThanOrEqual(120)
    },
  )

  test('a redirect is not followed', async () => {
    service.responses.push({ status: 307, headers: { location: 'http://127.0.0.1:1/' } })
    expect(await send(open('web'), toBrowser())).toMatchObject({ outcome: 'failed' })
  })

  test.each([
    'http://127.0.0.1:8080/auth/v1/admin/users',
    'https://169.254.169.254/latest/meta-data',
    'https://fcm.googleapis.com.evil.test/x',
    'https://fcm.googleapis.com:8443/x',
    'http://fcm.googleapis.com/x',
    'file:///etc/passwd',
    'nonsense',
  ])('a member cannot make the server talk to %s', async (token) => {
    const { p256dh, auth } = toBrowser()
    expect(
      await send(open('web', false), aDelivery({ channel: 'web', token, p256dh, auth })),
    ).toEqual({
      outcome: 'gone',
      reason: 'not the address of a known push service',
    })
  })
})

test('a self-hosted push service is used only if it is configured', async () => {
  const { endpoint: token, p256dh, auth } = service.subscribe()
  const named = { PUSH_WEB_SERVICES: `https://push.team.test ${service.address}` }
  const toOwn = (delivery: Partial<Delivery>) =>
    send(open('web', false, named), aDelivery({ channel: 'web', p256dh, auth, ...delivery }))
  expect(await toOwn({ token })).toEqual({ outcome: 'sent' })
  expect(await toOwn({ token: 'http://127.0.0.1:1/push' })).toMatchObject({ outcome: 'gone' })
})

describe('a provider that does not respond', () => {
  const toBrowser = () => {
    const { endpoint, p256dh, auth } = service.subscribe()
    return aDelivery({ channel: 'web', token: endpoint, p256dh, auth })
  }

  test('was certainly not reached if it refuses connections: retried', async () => {
    const outcome = await send(open('web'), {
      ...toBrowser(),
      token: 'http://127.0.0.1:2/push',
    })
    expect(outcome).toMatchObject({
      outcome: 'retry',
      reason: expect.stringContaining('ECONNREFUSED') as string,
    })
  })

  test('may have accepted the notification if it times out or drops the connection: never retried', async () => {
    service.responses.push({ status: 201, cutsLine: true }, { status: 201, delayMs: 2000 })
    expect(await send(open('web'), toBrowser())).toMatchObject({
      outcome: 'uncertain',
    })
    // Last: a busy machine may not even take the question within this time.
    expect(await send(open('web'), toBrowser(), 200)).toEqual({
      outcome: 'uncertain',
      reason: 'no response in time',
    })
  })
})

test('a channel without credentials is off and says what is missing', () => {
  const { channels, reports } = openChannels(
    { PUSH_FCM_SERVICE_ACCOUNT: '{', PUSH_APNS_KEY: 'x', PUSH_APNS_KEY_ID: 'y' },
    { clock, apnsSender: () => Promise.reject(new Error('not here')) },
  )
  expect(channels).toEqual([])
  expect(reports).toEqual([
    { channel: 'fcm', is_on: false, detail: 'PUSH_FCM_SERVICE_ACCOUNT is not JSON' },
    { channel: 'apns', is_on: false, detail: 'not set: PUSH_APNS_TEAM_ID, PUSH_APNS_TOPIC' },
    {
      channel: 'web',
      is_on: false,
      detail: 'PUSH_VAPID_PUBLIC_KEY or PUSH_VAPID_PRIVATE_KEY is not set',
    },
  ])
})
