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

  test('signing out everywhere removes all devices, everywhere else all but this one', async () => {
    const [phone] = [await push.aDevice(maya), await push.aDevice(maya), await push.aDevice(theo)]
    await maya.client.from('users').update({ push_token: FCM_TOKEN }).eq('id', maya.id)
    const forget = (args: object) => maya.client.rpc('forget_push_devices', args)
    expect((await forget({ except_token: phone.token })).error).toBeNull()
    const left = () => team.sql('select user_id, token from public.push_devices order by user_id')
    expect(await left()).toHaveLength(2)
    expect(await left()).toContainEqual({ user_id: maya.id, token: phone.token })
    const own = await maya.client.from('users').select('push_token').eq('id', maya.id).single()
    expect(own.data).toEqual({ push_token: null })
    await forget({})
    expect(await left()).toMatchObject([{ user_id: theo.id }])
    expect((await team.anonymous().client.rpc('forget_push_devices')).error).not.toBeNull()
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
