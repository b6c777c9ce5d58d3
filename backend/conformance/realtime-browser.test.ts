import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aBrowserPage, type Joined, type Kit, type TestPage } from './realtime-browser.ts'
import { aMember, aRoom, connectOwner, ROOMS_SQL } from './realtime-clients.ts'

// Defined in the page, where functions passed to page.run() run.
declare const kit: Kit

let backend: TestBackend
let owner: pg.Client
let page: TestPage

beforeAll(async () => {
  backend = await startTestBackend({ sql: ROOMS_SQL })
  owner = await connectOwner(backend)
  page = await aBrowserPage(backend)
})
afterEach(() => page?.leave())
afterAll(async () => {
  await page?.close()
  await owner?.end()
  await backend?.close()
})

/** Broadcasts to a room from the database, as a trigger does. */
async function fromDatabase(room: string, payload: object, event = 'said'): Promise<void> {
  await owner.query('select realtime.send($1, $2, $3)', [payload, event, room])
}

describe.each(['1.0.0', '2.0.0'] as const)('in Chromium, serializer %s', (vsn) => {
  test('a broadcast is acknowledged and reaches the others, and its sender with `self`', async () => {
    const result = await page.run(async (vsn) => {
      const [one, other] = [kit.client(null, vsn), kit.client(null, vsn)]
      const from = await kit.join(one, 'lobby', { broadcast: { self: true, ack: true } })
      const to = await kit.join(other, 'lobby')
      const payload = { text: 'Héllo 👋' }
      const outcome = await from.channel.send({ type: 'broadcast', event: 'hi', payload })
      await kit.until(() => to.received.length > 0 && from.received.length > 0)
      return { outcome, received: [from.received[0]?.payload, to.received[0]?.payload] }
    }, vsn)
    expect(result).toEqual({
      outcome: 'ok',
      received: [{ text: 'Héllo 👋' }, { text: 'Héllo 👋' }],
    })
  })

  test('a member of a private room receives broadcasts from the database, replayed and live', async () => {
    const maya = await aMember(backend)
    const room = await aRoom(owner, maya)
    await fromDatabase(room, { n: 1 })
    await page.run(
      async ({ token, room, vsn }) => {
        const replay = { since: Date.now() - 60_000 }
        const config = { private: true, broadcast: { replay } }
        await kit.join(kit.client(token, vsn), room, config)
      },
      { token: maya.token, room, vsn },
    )
    await fromDatabase(room, { n: 2 })
    expect(await heardIn(room, 2)).toEqual([
      [{ n: 1 }, true],
      [{ n: 2 }, false],
    ])
  })

  test('everyone sees who is present, until they disconnect', async () => {
    const seen = await page.run(async (vsn) => {
      const presence = (key: string) => ({ presence: { key, enabled: true } })
      const [one, other] = [kit.client(null, vsn), kit.client(null, vsn)]
      const stays = await kit.join(one, 'office', presence('stays'))
      const goes = await kit.join(other, 'office', presence('goes'))
      await stays.channel.track({ at: 'desk' })
      await goes.channel.track({ at: 'door' })
      const state = () => stays.channel.presenceState<{ at: string }>()
      await kit.until(() => state().goes && state().stays)
      const before = Object.values(state()).flatMap((all) => all.map(({ at }) => at))
      await other.disconnect()
      await kit.until(() => !state().goes)
      return { before: before.toSorted(), after: Object.keys(state()) }
    }, vsn)
    expect(seen).toEqual({ before: ['desk', 'door'], after: ['stays'] })
  })
})

test('binary payloads arrive unchanged', async () => {
  const bytes = await page.run(
    async (sent) => {
      const from = await kit.join(kit.client(null), 'canvas')
      const { received } = await kit.join(kit.client(null), 'canvas')
      const payload = new Uint8Array(sent).buffer
      await from.channel.send({ type: 'broadcast', event: 'draw', payload })
      const first = await kit.until(() => received[0])
      return [...new Uint8Array(first.payload as ArrayBuffer)]
    },
    [0, 1, 254, 255],
  )
  expect(bytes).toEqual([0, 1, 254, 255])
})

test('a user who is not a member of a private room is rejected in Chromium too', async () => {
  const [maya, stranger] = [await aMember(backend), await aMember(backend)]
  const room = await aRoom(owner, maya)
  const reason = await page.run(
    ({ token, room }) =>
      kit.join(kit.client(token), room, { private: true }).then(
        () => 'joined',
        (error: Error) => error.message,
      ),
    { token: stranger.token, room },
  )
  expect(reason).toContain('Unauthorized: You do not have permissions to read')
})

test('a removed member’s page stops receiving from the room', async () => {
  const maya = await aMember(backend)
  const room = await aRoom(owner, maya)
  await joinPrivately(maya.token, room)
  await owner.query('delete from public.room_members where user_id = $1', [maya.id])
  await owner.query('select realtime.recheck($1)', [room])
  const state = await page.run(async (room) => {
    const { channel } = kit.joined[room] ?? {}
    await kit.until(() => channel?.state === 'closed')
    return kit.joined[room]?.system.at(-1)?.message
  }, room)
  expect(state).toContain('You no longer have permission to read')
  await fromDatabase(room, { n: 1 })
  expect(await page.run((room) => Promise.resolve(kit.joined[room]?.received), room)).toEqual([])
})

test('a page sends its refreshed token and loses channels the new one may not read', async () => {
  const [maya, stranger] = [await aMember(backend), await aMember(backend)]
  const room = await aRoom(owner, maya)
  await joinPrivately(maya.token, room)
  const system = await page.run(
    async ({ room, token }) => {
      const { channel, system } = kit.joined[room] as Joined
      const client = channel.socket as ReturnType<Kit['client']>
      client.token = token
      await client.setAuth()
      await kit.until(() => channel.state === 'closed')
      return system.at(-1)?.message
    },
    { room, token: stranger.token },
  )
  expect(system).toContain('You no longer have permission to read')
})

test('a page reconnects by itself and receives from the room again', async () => {
  const maya = await aMember(backend)
  const room = await aRoom(owner, maya)
  await joinPrivately(maya.token, room)
  await page.run(async (room) => {
    const { channel } = kit.joined[room] as Joined
    kit.breakConnections()
    await kit.until(() => channel.state !== 'joined')
    await kit.until(() => channel.state === 'joined')
  }, room)
  await fromDatabase(room, { n: 1 })
  expect(await heardIn(room, 1)).toEqual([[{ n: 1 }, false]])
})

function joinPrivately(token: string, room: string): Promise<void> {
  return page.run(
    async ({ token, room }) => void (await kit.join(kit.client(token), room, { private: true })),
    { token, room },
  )
}

/** Payloads the page received, and whether each was replayed. */
function heardIn(room: string, count: number): Promise<[unknown, boolean][]> {
  return page.run(
    async ({ room, count }) => {
      const { received } = kit.joined[room] as Joined
      await kit.until(() => received.length >= count)
      return received.map(({ payload, meta }): [unknown, boolean] => {
        const { id: _, ...rest } = payload as { id: string }
        return [rest, meta?.replayed ?? false]
      })
    },
    { room, count },
  )
}
