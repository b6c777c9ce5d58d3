import type { RealtimeChannel } from '@supabase/supabase-js'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aMember, aRoom, connectOwner, join, ROOMS_SQL, clientsFor } from './realtime-clients.ts'

let backend: TestBackend
let owner: pg.Client
const client = clientsFor(() => backend)

beforeAll(async () => {
  backend = await startTestBackend({ sql: ROOMS_SQL })
  owner = await connectOwner(backend)
})
afterAll(async () => {
  await owner?.end()
  await backend?.close()
})

const config = (key: string, isPrivate = false) => ({
  config: { private: isPrivate, presence: { key, enabled: true } },
})
const present = (channel: RealtimeChannel) => Object.keys(channel.presenceState()).toSorted()

describe.each(['1.0.0', '2.0.0'] as const)('serializer %s', (vsn) => {
  test('a tracked member is seen by current and later subscribers', async () => {
    const topic = `presence ${vsn}`
    const early = (await client(null, vsn)).channel(topic, config('early'))
    await join(early)
    await early.track({ status: 'online' })
    const late = (await client(null, vsn)).channel(topic, config('late'))
    await join(late)
    await late.track({ status: 'away' })
    for (const channel of [early, late])
      await vi.waitFor(() => expect(present(channel)).toEqual(['early', 'late']))
    expect(early.presenceState().late).toMatchObject([{ status: 'away' }])
  })

  test('a member who disconnects, leaves or untracks is gone for the others', async () => {
    const topic = `leaving ${vsn}`
    const stays = (await client(null, vsn)).channel(topic, config('stays'))
    await join(stays)
    const connections = await Promise.all([1, 2, 3].map(() => client(null, vsn)))
    const channels = connections.map((each, index) => each.channel(topic, config(`${index}`)))
    await Promise.all(channels.map((channel) => join(channel)))
    await Promise.all(channels.map((channel) => channel.track({})))
    await vi.waitFor(() => expect(present(stays)).toEqual(['0', '1', '2']))
    await Promise.all([
      connections[0]?.disconnect(),
      channels[1]?.unsubscribe(),
      channels[2]?.untrack(),
    ])
    await vi.waitFor(() => expect(present(stays)).toEqual([]))
  })
})

test('a member without the right to send cannot track on a private topic', async () => {
  const [maya, theo] = [await aMember(backend), await aMember(backend)]
  const room = await aRoom(owner, maya, theo)
  await owner.query('update public.room_members set can_send = false where user_id = $1', [maya.id])
  const mayas = (await client(maya)).channel(room, config('maya', true))
  const theos = (await client(theo)).channel(room, config('theo', true))
  await Promise.all([join(mayas), join(theos)])
  expect(await mayas.track({})).toBe('error')
  expect(await theos.track({})).toBe('ok')
  await vi.waitFor(() => expect(present(mayas)).toEqual(['theo']))
})

test('a channel that joined without presence receives it from its first track on', async () => {
  const [maya, theo] = [await aMember(backend), await aMember(backend)]
  const room = await aRoom(owner, maya, theo)
  const theos = (await client(theo)).channel(room, config('theo', true))
  await join(theos)
  await theos.track({})
  const without = { config: { private: true, presence: { key: 'maya', enabled: false } } }
  const mayas = (await client(maya)).channel(room, without)
  await join(mayas)
  expect(await mayas.track({})).toBe('ok')
  await vi.waitFor(() => expect(present(mayas)).toEqual(['maya', 'theo']))
  await theos.untrack()
  await vi.waitFor(() => expect(present(mayas)).toEqual(['maya']))
})

test('a track that is refused enables no presence', async () => {
  const [maya, theo] = [await aMember(backend), await aMember(backend)]
  const room = await aRoom(owner, maya, theo)
  await owner.query('update public.room_members set can_send = false where user_id = $1', [maya.id])
  const without = { config: { private: true, presence: { key: 'maya', enabled: false } } }
  const mayas = (await client(maya)).channel(room, without)
  const theos = (await client(theo)).channel(room, config('theo', true))
  await Promise.all([join(mayas), join(theos)])
  expect(await mayas.track({})).toBe('error')
  await theos.track({})
  await vi.waitFor(() => expect(present(theos)).toEqual(['theo']))
  expect(present(mayas)).toEqual([])
})

test('the tracked payload must be an object', async () => {
  const channel = (await client(null)).channel('lobby', config('maya'))
  await join(channel)
  expect(await channel.track('here' as never)).toBe('error')
})
