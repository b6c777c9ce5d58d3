import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openChannels, type PushSettings } from 'supabase-project/functions/push/open-channels.ts'
import { makeVapidKeys } from 'supabase-project/functions/push/web-push.ts'
import {
  startApns,
  startFcm,
  startPushService,
  type Apns,
  type Fcm,
  type PushService,
} from 'supabase-project/tests/push-providers.ts'
import { pushScene, type PushScene } from 'supabase-project/tests/push-scene.ts'
import { aTeam, type Person, type Team } from 'supabase-project/tests/team.ts'
import { createApnsConnection } from './apns-connection.ts'
import { startPushWorker, type PushWorker } from './push-worker.ts'

let team: Team
let push: PushScene
let maya: Person
let theo: Person
let chat: string
let fcm: Fcm
let apns: Apns
let browsers: PushService
let settings: PushSettings
let worker: PushWorker | null = null
let connection: ReturnType<typeof createApnsConnection>

beforeAll(async () => {
  team = await aTeam()
  push = pushScene(team)
  ;[fcm, apns, browsers] = await Promise.all([startFcm(), startApns(), startPushService()])
  const vapid = await makeVapidKeys()
  settings = {
    PUSH_FCM_SERVICE_ACCOUNT: fcm.serviceAccount,
    PUSH_APNS_KEY: apns.privateKey,
    PUSH_APNS_KEY_ID: 'KEY',
    PUSH_APNS_TEAM_ID: 'TEAM',
    PUSH_APNS_TOPIC: 'test.team',
    PUSH_VAPID_PUBLIC_KEY: vapid.publicKey,
    PUSH_VAPID_PRIVATE_KEY: vapid.privateKey,
    PUSH_VAPID_SUBJECT: 'mailto:admin@team.test',
  }
  connection = createApnsConnection(apns.address)
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
})
afterAll(async () => {
  connection.close()
  await Promise.all([fcm.close(), apns.close(), browsers.close()])
  await team.close()
})
beforeEach(async () => {
  await push.clear()
  theo = await team.aMember({ firstName: 'Theo', rallyEnabled: false })
  chat = await push.aChat([maya, theo])
  for (const provider of [fcm, apns, browsers]) {
    provider.received.length = 0
    provider.responses.length = 0
    provider.onRequest = null
  }
})
afterEach(async () => {
  await worker?.close()
  worker = null
})

async function start(more: { pollMs?: number; timeoutMs?: number } = {}): Promise<PushWorker> {
  worker = await startPushWorker({
    database: team.backend.database,
    opened: openChannels(settings, {
      clock: team.backend.clock,
      apnsSender: connection.send,
      fcmAddress: fcm.address,
      isPushService: () => true,
    }),
    clock: team.backend.clock,
    log: pino({ level: 'silent' }),
    pollMs: 60_000,
    ...more,
  })
  // Wait for the initial run, so that it does not interfere with the tests.
  await worker.run()
  return worker
}

async function browserOf(person: Person): Promise<void> {
  const { endpoint, p256dh, auth } = browsers.subscribe()
  const { error } = await person.client.rpc('register_push_device', {
    token: endpoint,
    platform: 'web',
    p256dh,
    auth,
  })
  expect(error).toBeNull()
}

const makeDue = () =>
  team.sql(
    "select private.spread_push_outbox(); update private.push_deliveries set due_at = now() where state = 'waiting'",
  )

const states = async () => (await push.fates()).map(({ state }) => state)

describe('a message', () => {
  test('sent by the official client reaches each device of the recipient once', async () => {
    await push.aDevice(theo)
    await push.aDevice(theo, 'apns')
    await browserOf(theo)
    await start()
    const { error } = await maya.client
      .from('chat_messages')
      .insert({ chat_id: chat, sender_id: maya.id, message: 'The Keller deal is signed' })
    expect(error).toBeNull()
    // Nobody calls run(): the database wakes the worker.
    await expect.poll(states).toEqual(['sent', 'sent', 'sent'])
    await worker?.run()
    for (const { received } of [fcm, apns, browsers]) expect(received).toHaveLength(1)
    expect(apns.received[0]).toMatchObject({
      payload: {
        aps: {
          alert: { title: 'Deal desk', body: 'Maya Ortiz: The Keller deal is signed' },
          badge: 1,
          'thread-id': chat,
        },
        chat_id: chat,
      },
      headers: { 'apns-collapse-id': chat, 'apns-push-type': 'alert' },
    })
    expect(browsers.received[0]?.payload).toMatchObject({ badge: 1, data: { chat_id: chat } })
    expect(fcm.received[0]?.payload).toMatchObject({ data: { chat_id: chat } })
  })

  test('written while no worker was running is pushed by the next one', async () => {
    await push.aDevice(theo)
    await push.say(chat, maya, 'hello')
    await makeDue()
    await start()
    await expect.poll(states).toEqual(['sent'])
  })

  test('read within two seconds is not pushed', async () => {
    await push.aDevice(theo)
    await start()
    await push.say(chat, maya, 'hello')
    await theo.client.rpc('mark_chat_read', { chat_id: chat })
    await expect.poll(states).toEqual(['skipped'])
    expect(fcm.received).toEqual([])
  })

  test('goes to the tablet alone after the phone has signed out', async () => {
    const phone = await push.aDevice(theo)
    const tablet = await push.aDevice(theo)
    await theo.client.rpc('remove_push_device', { token: phone.token })
    const { run } = await start()
    await push.say(chat, maya, 'hello')
    await makeDue()
    await run()
    expect(fcm.received.map(({ to }) => to)).toEqual([tablet.token])
  })
})

describe('a provider', () => {
  test('that is down, busy, then back gets the notification once', async () => {
    await push.aDevice(theo, 'apns')
    const { run } = await start()
    apns.responses.push({ status: 503 }, { status: 429, body: '{"reason":"TooManyRequests"}' })
    await push.say(chat, maya, 'hello')
    for (const state of ['waiting', 'waiting', 'sent']) {
      await makeDue()
      await run()
      expect(await states()).toEqual([state])
    }
    expect(apns.received).toHaveLength(1)
  })

  test('that reports a device as gone has it removed', async () => {
    await push.aDevice(theo, 'apns')
    await browserOf(theo)
    const { run } = await start()
    apns.responses.push({ status: 410, body: '{"reason":"Unregistered"}' })
    browsers.responses.push({ status: 410, body: 'gone' })
    await push.say(chat, maya, 'hello')
    await makeDue()
    await run()
    expect(await push.fates()).toMatchObject([{ state: 'failed' }, { state: 'failed' }])
    expect((await theo.client.from('push_devices').select('id')).data).toEqual([])
  })

  test('that is slow does not delay the others, and its notification is reported as uncertain', async () => {
    for (let index = 0; index < 12; index++) await push.aDevice(theo, index % 2 ? 'fcm' : 'apns')
    const { run } = await start({ timeoutMs: 400 })
    apns.responses.push(...Array.from({ length: 5 }, () => ({ status: 200, delayMs: 5000 })))
    await push.say(chat, maya, 'hello')
    await makeDue()
    const began = performance.now()
    const settled = await run()
    expect(performance.now() - began).toBeLessThan(3000)
    expect(settled.filter(({ outcome }) => outcome === 'uncertain')).toHaveLength(5)
    expect(settled.filter(({ outcome }) => outcome === 'sent')).toHaveLength(7)
    await makeDue()
    expect(await run()).toEqual([])
  })

  test('that drops the connection after accepting a notification does not get it again', async () => {
    await push.aDevice(theo, 'apns')
    await push.aDevice(theo)
    const { run } = await start()
    apns.responses.push({ status: 200, cutsLine: true })
    fcm.responses.push({ status: 200, cutsLine: true })
    await push.say(chat, maya, 'hello')
    await makeDue()
    await run()
    await makeDue()
    expect(await run()).toEqual([])
    expect(await states()).toEqual(['uncertain', 'uncertain'])
    expect([apns.received.length, fcm.received.length]).toEqual([1, 1])
  })

  test('that refuses connections is retried later', async () => {
    await push.aDevice(theo, 'apns')
    const nowhere = createApnsConnection('http://127.0.0.1:2')
    connection = Object.assign(nowhere, { close: nowhere.close })
    const { run } = await start()
    await push.say(chat, maya, 'hello')
    await makeDue()
    await run()
    expect(await push.fates()).toMatchObject([
      { state: 'waiting', reason: expect.stringContaining('ECONNREFUSED') as string },
    ])
    connection = createApnsConnection(apns.address)
  })
})

test('the admin page shows which channels are on', async () => {
  await start()
  const dana = await team.aMember({ isAdmin: true })
  const health = await dana.client.rpc('push_health')
  expect(health.data).toMatchObject([
    { channel: 'apns', is_on: true, detail: 'app test.team' },
    { channel: 'fcm', is_on: true, detail: 'project team' },
    { channel: 'web', is_on: true },
  ])
  const key = await theo.client.rpc('push_public_key')
  expect(key.data).toBe(settings.PUSH_VAPID_PUBLIC_KEY)
})
