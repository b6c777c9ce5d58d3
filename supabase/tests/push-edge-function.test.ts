// The push function under the runtime it has on hosted Supabase: the real Deno, talking to the Data API over HTTP.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from 'backend/postgres/free-port.ts'
import { DENO, serveWithDeno } from './deno.ts'
import { decryptPush, makeBrowserKeys } from './push-browser.ts'
import { LOOPBACK_AUTHORITY, startApns, startFcm, type Apns, type Fcm } from './push-providers.ts'
import { pushScene, type PushScene } from './push-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

const FUNCTION = new URL('../functions/push/', import.meta.url)

let team: Team
let push: PushScene
let fcm: Fcm
let apns: Apns
let maya: Person
let theo: Person
let served: Awaited<ReturnType<typeof serveWithDeno>>

beforeAll(async () => {
  team = await aTeam()
  push = pushScene(team)
  ;[fcm, apns] = await Promise.all([startFcm(), startApns({ overTls: true })])
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
  theo = await team.aMember()
  served = await serveWithDeno('push', await freePort(), {
    SUPABASE_URL: team.backend.url,
    SUPABASE_SERVICE_ROLE_KEY: team.backend.secretKey,
    PUSH_FCM_SERVICE_ACCOUNT: fcm.serviceAccount,
    PUSH_FCM_ADDRESS: fcm.address,
    PUSH_APNS_KEY: apns.privateKey,
    PUSH_APNS_KEY_ID: 'KEY',
    PUSH_APNS_TEAM_ID: 'TEAM',
    PUSH_APNS_TOPIC: 'test.team',
    PUSH_APNS_ADDRESS: apns.address,
    DENO_CERT: LOOPBACK_AUTHORITY,
  })
}, 60_000)
afterAll(async () => {
  await served.stop()
  await Promise.all([fcm.close(), apns.close()])
  await team.close()
})
beforeEach(async () => {
  await push.clear()
  for (const provider of [fcm, apns]) {
    provider.received.length = 0
    provider.responses.length = 0
  }
})

const callFunction = (key: string) =>
  fetch(served.address, { method: 'POST', headers: { authorization: `Bearer ${key}` } })

describe('the function', () => {
  test('sends what a message made due, and returns the counts', async () => {
    const device = await push.aDevice(theo)
    const chat = await push.aChat([maya, theo])
    await push.say(chat, maya, 'Signed!')
    const response = await callFunction(team.backend.secretKey)
    expect(await response.json()).toEqual({ sent: 1 })
    expect(fcm.received).toMatchObject([
      { to: device.token, payload: { notification: { body: 'Maya Ortiz: Signed!' } } },
    ])
    expect(await push.fates()).toEqual([{ state: 'sent', reason: null }])
  })

  test('reports its channels to the admin page', async () => {
    await callFunction(team.backend.secretKey)
    const dana = await team.aMember({ isAdmin: true })
    const { data } = await call<object[]>(dana, 'push_health')
    expect(data).toMatchObject([
      { channel: 'apns', is_on: true, detail: 'app test.team' },
      { channel: 'fcm', is_on: true, detail: 'project team' },
      { channel: 'web', is_on: false },
    ])
  })

  test('refuses callers without the secret key', async () => {
    for (const key of ['', 'wrong', team.backend.publishableKey])
      expect((await callFunction(key)).status).toBe(401)
  })
})

describe('to iOS, over the HTTP/2 that Deno’s fetch speaks', () => {
  async function sendToTheo() {
    const device = await push.aDevice(theo, 'apns')
    const chat = await push.aChat([maya, theo])
    await push.say(chat, maya, 'Signed!')
    const counts = (await (await callFunction(team.backend.secretKey)).json()) as object
    return { device, chat, counts }
  }

  test('a message arrives with its signed token, text, chat and badge', async () => {
    const { device, chat, counts } = await sendToTheo()
    expect(counts).toEqual({ sent: 1 })
    expect(apns.received).toMatchObject([
      {
        to: device.token,
        payload: { aps: { alert: { body: 'Maya Ortiz: Signed!' } }, chat_id: chat },
        headers: { 'apns-collapse-id': chat, 'apns-topic': 'test.team' },
      },
    ])
  })

  test('an unregistered phone is removed, a busy service is retried later', async () => {
    apns.responses.push({ status: 410, body: '{"reason":"Unregistered"}' })
    expect((await sendToTheo()).counts).toEqual({ gone: 1 })
    expect(await team.sql('select from public.push_devices')).toEqual([])
    apns.responses.push({ status: 429, body: '{"reason":"TooManyRequests"}' })
    expect((await sendToTheo()).counts).toEqual({ retry: 1 })
  })

  test('a connection dropped after the message was accepted is reported, not retried', async () => {
    apns.responses.push({ status: 200, cutsLine: true })
    expect((await sendToTheo()).counts).toEqual({ uncertain: 1 })
    expect(apns.received).toHaveLength(1)
  })

  test('a service that refuses connections is retried later', async () => {
    await apns.close()
    expect((await sendToTheo()).counts).toEqual({ retry: 1 })
  })
})

test('the browser can decrypt what Deno encrypted', async () => {
  const { p256dh, auth, ...rest } = makeBrowserKeys()
  const program = `
    import { encryptForBrowser } from '${new URL('encrypt-for-browser.ts', FUNCTION).href}'
    const sealed = await encryptForBrowser('Grüße ☕', ${JSON.stringify({ p256dh, auth })})
    console.log(sealed.toBase64())`
  const { stdout } = await promisify(execFile)(
    DENO,
    ['eval', '--no-config', '--no-lock', '--quiet', program],
    { env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' } },
  )
  const sealed = Buffer.from(stdout.trim(), 'base64')
  expect(decryptPush(sealed, { p256dh, auth, ...rest })).toBe('Grüße ☕')
})
