import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeBrowserKeys } from './push-browser.ts'
import { pushScene, type PushScene } from './push-scene.ts'
import { aTeam, type Person, type Team } from './team.ts'

const FCM_TOKEN = 'cXJ5-example:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ'
const APNS_TOKEN = 'a1'.repeat(32)
let team: Team
let push: PushScene
let maya: Person
let theo: Person

beforeAll(async () => {
  team = await aTeam()
  push = pushScene(team)
  maya = await team.aMember()
  theo = await team.aMember()
})
afterAll(() => team.close())
beforeEach(async () => {
  await push.clear()
  await team.sql('update private.members set push_token = null')
})

const devices = (person: Person) =>
  team.sql<{ channel: string; platform: string; token: string }>(
    'select platform, channel, token from public.push_devices where user_id = $1 order by created_at',
    [person.id],
  )
const register = (person: Person, args: Record<string, string>) =>
  person.client.rpc('register_push_device', args as never)

type Account = Person & { signIn: () => Promise<Person> }

/** A member who signs in as people do, so that there are sessions. */
async function anAccount(): Promise<Account> {
  const person = team.anonymous()
  const account = { email: `${person.id}@example.com`, password: 'rally-demo' }
  const { data, error } = await team
    .service()
    .client.auth.admin.createUser({ ...account, email_confirm: true })
  if (error) throw error
  const owner = { ...person, id: data.user.id, email: account.email }
  return {
    ...owner,
    async signIn() {
      const { client } = team.anonymous()
      const signedIn = await client.auth.signInWithPassword(account)
      if (signedIn.error) throw signedIn.error
      return { ...owner, client }
    },
  }
}

function sessionOf(token: string): string {
  const [, payload = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { session_id: string }
  return claims.session_id
}

describe('registering', () => {
  test('a token written to users.push_token becomes a device of its platform', async () => {
    await maya.client.from('users').update({ push_token: FCM_TOKEN }).eq('id', maya.id)
    await theo.client.from('users').update({ push_token: APNS_TOKEN }).eq('id', theo.id)
    expect(await devices(maya)).toEqual([{ platform: 'android', channel: 'fcm', token: FCM_TOKEN }])
    expect(await devices(theo)).toEqual([{ platform: 'ios', channel: 'apns', token: APNS_TOKEN }])
  })

  test('a second device does not replace the first', async () => {
    await maya.client.from('users').update({ push_token: FCM_TOKEN }).eq('id', maya.id)
    await maya.client.from('users').update({ push_token: APNS_TOKEN }).eq('id', maya.id)
    expect(await devices(maya)).toHaveLength(2)
  })

  test('clearing the token removes only its device', async () => {
    await register(maya, { token: APNS_TOKEN, platform: 'ios' })
    await maya.client.from('users').update({ push_token: FCM_TOKEN }).eq('id', maya.id)
    await maya.client.from('users').update({ push_token: null }).eq('id', maya.id)
    expect(await devices(maya)).toMatchObject([{ token: APNS_TOKEN }])
  })

  test('a browser registers its subscription; without keys it is refused', async () => {
    const { p256dh, auth } = makeBrowserKeys()
    const token = 'https://updates.push.services.mozilla.com/wpush/v2/abc'
    expect((await register(maya, { token, platform: 'web', p256dh, auth })).error).toBeNull()
    expect(await devices(maya)).toEqual([{ platform: 'web', channel: 'web', token }])
    expect((await register(maya, { token, platform: 'web' })).error).toMatchObject({
      code: '23514',
    })
  })

  test('a phone belongs to the member who signed in on it last', async () => {
    await register(maya, { token: FCM_TOKEN, platform: 'android' })
    await register(theo, { token: FCM_TOKEN, platform: 'android' })
    expect(await devices(maya)).toEqual([])
    expect(await devices(theo)).toHaveLength(1)
  })

  test('beyond ten devices the least recently seen are removed', async () => {
    for (let index = 0; index < 12; index++)
      await register(maya, { token: `${FCM_TOKEN}${index}`, platform: 'android' })
    const tokens = (await devices(maya)).map(({ token }) => token)
    expect(tokens).toHaveLength(10)
    expect(tokens).not.toContain(`${FCM_TOKEN}0`)
    expect(tokens).toContain(`${FCM_TOKEN}11`)
  })

  test('a session has one device, so nobody with a copy of it gets push beside its owner or pushes others out', async () => {
    const owner = await anAccount()
    const [desk, phone] = [await owner.signIn(), await owner.signIn()]
    await register(desk, { token: APNS_TOKEN, platform: 'ios' })
    await phone.client.from('users').update({ push_token: FCM_TOKEN }).eq('id', owner.id)
    for (let index = 0; index < 12; index++)
      await register(phone, { token: `${FCM_TOKEN}${index}`, platform: 'android' })
    const tokens = async () => (await devices(owner)).map(({ token }) => token)
    expect(await tokens()).toEqual([APNS_TOKEN, `${FCM_TOKEN}11`])
    await phone.client.from('users').update({ push_token: FCM_TOKEN }).eq('id', owner.id)
    expect(await tokens()).toEqual([APNS_TOKEN, FCM_TOKEN])
  })

  test.each(['', 'with blank', 'x'.repeat(2001), 'line\nbreak'])(
    'a malformed token is refused: %j',
    async (token) => {
      expect((await register(maya, { token, platform: 'android' })).error).toMatchObject({
        code: '23514',
      })
    },
  )

  test('anonymous callers cannot register a device', async () => {
    const { error } = await register(team.anonymous(), { token: FCM_TOKEN, platform: 'android' })
    expect(error).toMatchObject({ code: '42501' })
  })
})

describe('leaving', () => {
  test('signing out removes only this device', async () => {
    await register(maya, { token: APNS_TOKEN, platform: 'ios' })
    await maya.client.from('users').update({ push_token: FCM_TOKEN }).eq('id', maya.id)
    await maya.client.rpc('remove_push_device', { token: FCM_TOKEN })
    expect(await devices(maya)).toMatchObject([{ token: APNS_TOKEN }])
    const { data } = await maya.client.from('users').select('push_token').eq('id', maya.id).single()
    expect(data).toEqual({ push_token: null })
  })

  test('nobody removes another member’s device', async () => {
    await register(maya, { token: FCM_TOKEN, platform: 'android' })
    await theo.client.rpc('remove_push_device', { token: FCM_TOKEN })
    await theo.client.from('push_devices').delete().eq('user_id', maya.id)
    expect(await devices(maya)).toHaveLength(1)
  })

  test('a former member has no devices', async () => {
    const leaver = await team.aMember()
    await register(leaver, { token: FCM_TOKEN, platform: 'android' })
    await team.sql("update private.members set status = 'removed' where id = $1", [leaver.id])
    expect(await devices(leaver)).toEqual([])
  })
})

describe('a device belongs to a session', () => {
  const ENDINGS: [string, (owner: Account, desk: Person) => Promise<unknown>][] = [
    [
      'a sign-out of the other sessions',
      (_, desk) => desk.client.auth.signOut({ scope: 'others' }),
    ],
    ['a sign-out of all sessions', (_, desk) => desk.client.auth.signOut({ scope: 'global' })],
    ['an end of that session', ({ id }) => team.sql(ENDS_OLDEST, [id])],
    ['a suspension', ({ id }) => team.sql(SUSPENDS, [id])],
  ]
  const ENDS_OLDEST = `delete from auth.sessions
    where id = (select id from auth.sessions where user_id = $1 order by created_at limit 1)`
  const SUSPENDS = "update private.members set status = 'suspended' where id = $1"

  test.each(ENDINGS)('%s takes the lost phone’s push with it', async (_, end) => {
    const owner = await anAccount()
    const phone = await owner.signIn()
    await phone.client.from('users').update({ push_token: FCM_TOKEN }).eq('id', owner.id)
    const desk = await owner.signIn()
    const chatId = await push.aChat([owner, theo])
    await push.say(chatId, theo, 'Before')
    expect(await push.claim()).toMatchObject([{ token: FCM_TOKEN, body: 'Pat Doe: Before' }])
    await end(owner, desk)
    await push.say(chatId, theo, 'For your eyes only')
    expect(await push.claim()).toEqual([])
    const member = 'select push_token from private.members where id = $1'
    expect(await team.sql(member, [owner.id])).toEqual([{ push_token: null }])
  })

  test('the device of a session that stays is kept', async () => {
    const owner = await anAccount()
    await register(await owner.signIn(), { token: FCM_TOKEN, platform: 'android' })
    const desk = await owner.signIn()
    await register(desk, { token: APNS_TOKEN, platform: 'ios' })
    await desk.client.auth.signOut({ scope: 'others' })
    expect(await devices(owner)).toMatchObject([{ token: APNS_TOKEN }])
  })

  test('a phone that signs in again goes with the new session, not with the one before', async () => {
    const owner = await anAccount()
    const before = await owner.signIn()
    await register(before, { token: FCM_TOKEN, platform: 'android' })
    const after = await owner.signIn()
    await register(after, { token: FCM_TOKEN, platform: 'android' })
    await before.client.auth.signOut({ scope: 'local' })
    expect(await devices(owner)).toHaveLength(1)
    await after.client.auth.signOut({ scope: 'local' })
    expect(await devices(owner)).toEqual([])
  })

  test('a device from before devices had a session goes with any session of the member', async () => {
    const owner = await anAccount()
    const desk = await owner.signIn()
    await push.aDevice(owner)
    const kept = await push.aDevice(theo)
    await desk.client.auth.signOut({ scope: 'local' })
    expect(await devices(owner)).toEqual([])
    expect(await devices(theo)).toMatchObject([{ token: kept.token }])
  })

  test('a session that ended while its device was being registered keeps none', async () => {
    const owner = await anAccount()
    const phone = await owner.signIn()
    const { data } = await phone.client.auth.getSession()
    const claims = JSON.stringify({
      sub: owner.id,
      session_id: sessionOf(data.session?.access_token ?? ''),
    })
    await phone.client.auth.signOut({ scope: 'local' })
    const registration = team.sql(
      `select private.add_device($1, $2, 'android', 'fcm', null, null, null)
       from set_config('request.jwt.claims', $3, false) as claims offset 0`,
      [owner.id, FCM_TOKEN, claims],
    )
    await expect(registration).rejects.toThrow('Your session has ended')
    await team.sql("select set_config('request.jwt.claims', '', false)")
    expect(await devices(owner)).toEqual([])
  })
})

describe('rights', () => {
  test('members see their own devices, never a token, and register only through the function', async () => {
    await register(maya, { token: FCM_TOKEN, platform: 'android' })
    const table = (person: Person) => person.client.from('push_devices')
    expect((await table(maya).select('id, platform, label')).data).toHaveLength(1)
    expect((await table(maya).select('token')).error).toMatchObject({ code: '42501' })
    expect((await table(theo).select('id')).data).toEqual([])
    const row = { user_id: maya.id, platform: 'android', channel: 'fcm', token: 'stolen' }
    expect((await table(theo).insert(row as never)).error).toMatchObject({ code: '42501' })
    const admin = await team.aMember({ isAdmin: true })
    expect((await table(admin).select('id')).data).toEqual([])
    expect((await table(team.anonymous()).select('id')).error).toMatchObject({ code: '42501' })
  })

  test('each member has their own settings', async () => {
    const settings = (person: Person) => person.client.from('notification_settings')
    expect((await settings(maya).insert({ messages: false })).error).toBeNull()
    expect((await settings(theo).select('*')).data).toEqual([])
    await settings(theo).update({ messages: true }).eq('user_id', maya.id)
    expect((await settings(maya).select('messages').single()).data).toEqual({ messages: false })
    expect((await settings(theo).insert({ user_id: maya.id })).error).toMatchObject({
      code: '42501',
    })
    for (const wrong of [
      { quiet_from: '22:00' },
      { quiet_from: '22:00', quiet_to: '22:00' },
      { time_zone: 'Mars/Olympus' },
    ])
      expect((await settings(maya).update(wrong).eq('user_id', maya.id)).error).toMatchObject({
        code: '23514',
      })
  })

  test('a test goes to one of the caller’s devices, rate limited', async () => {
    const device = await push.aDevice(maya)
    const test = (person: Person) => person.client.rpc('send_test_push', { device_id: device.id })
    expect((await test(maya)).error).toMatchObject({ code: 'PT409' })
    await team.sql("update public.push_channels set is_on = true where channel = 'fcm'")
    expect((await test(maya)).error).toBeNull()
    expect((await test(maya)).error).not.toBeNull()
    expect((await test(theo)).error).toMatchObject({ code: '42501' })
    expect(await push.claim()).toMatchObject([{ kind: 'test', token: device.token }])
  })

  test.each([
    [{ locale: 'es' }, 'Prueba', 'Las notificaciones llegan a este dispositivo.'],
    [{ language: 'es-MX' }, 'Prueba', 'Las notificaciones llegan a este dispositivo.'],
    [{ locale: 'en', language: 'es' }, 'Test', 'Notifications reach this device.'],
    [{}, 'Test', 'Notifications reach this device.'],
  ])('the test reads in the language of %j', async (traits, title, body) => {
    const reader = await team.aMember()
    const device = await push.aDevice(reader)
    await team.sql(
      'update auth.users set raw_user_meta_data = raw_user_meta_data || $2 where id = $1',
      [reader.id, traits],
    )
    await reader.client.rpc('send_test_push', { device_id: device.id })
    const claimed = await push.claim()
    expect(claimed.find(({ token }) => token === device.token)).toMatchObject({ title, body })
  })
})
