import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aBrowserPage, type Joined, type Kit, type TestPage } from './realtime-browser.ts'
import { aMember, aRoom, connectOwner, ROOMS_SQL } from './realtime-clients.ts'

// Defined in the page. Functions given to page.run() run there.
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

/** Sends to a room from the database, as a trigger does. */
async function fromDatabase(room: string, payload: object, event = 'said'): Promise<void> {
  await owner.query('select realtime.send($1, $2, $3)', [payload, event, room])
}

describe.each(['1.0.0', '2.0.0'] as const)('in Chromium, serializer %s', (vsn) => {
  test('a broadcast reaches the others, its sender too who wants that, and is acknowledged', async () => {
    const result = await page.run(async (vsn) => {
      const [one, other] = [kit.client(null, vsn), kit.client(null, vsn)]
      const from = await kit.join(one, 'lobby', { broadcast: { self: true, ack: true } })
      const to = await kit.join(other, 'lobby')
      const payload = { text: 'Héllo 👋' }
      const answer = await from.channel.send({ type: 'broadcast', event: 'hi', payload })
      await kit.until(() => to.heard.length > 0 && from.heard.length > 0)
      return { answer, heard: [from.heard[0]?.payload, to.heard[0]?.payload] }
    }, vsn)
    expect(result).toEqual({ answer: 'ok', heard: [{ text: 'Héllo 👋' }, { text: 'Héllo 👋' }] })
  })

  test('a member of a private room hears what the database sends, replayed and live', async () => {
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

  test('who is present is seen by all, and gone for all once disconnected', async () => {
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

test('bytes arrive as bytes', async () => {
  const bytes = await page.run(
    async (sent) => {
      const from = await kit.join(kit.client(null), 'canvas')
      const { heard } = await kit.join(kit.client(null), 'canvas')
      const payload = new Uint8Array(sent).buffer
      await from.channel.send({ type: 'broadcast', event: 'draw', payload })
      const first = await kit.until(() => heard[0])
      return [...new Uint8Array(first.payload as ArrayBuffer)]
    },
    [0, 1, 254, 255],
  )
  expect(bytes).toEqual([0, 1, 254, 255])
})

test('somebody who is no member of a private room is refused in Chromium too', async () => {
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

test('a page whose member is taken out of a room stops hearing it', async () => {
  const maya = await aMember(backend)
  const room = await aRoom(owner, maya)
  await joinPrivately(maya.token, room)
  await owner.query('delete from public.room_members where user_id = $1', [maya.id])
  await owner.query('select realtime.recheck($1)', [room])
  const state = await page.run(async (room) => {
    const { channel } = kit.joined[room] ?? {}
    await kit.until(() => channel?.state === 'closed')
    return kit.joined[room]?.said.at(-1)?.message
  }, room)
  expect(state).toContain('You no longer have permission to read')
  await fromDatabase(room, { n: 1 })
  expect(await page.run((room) => Promise.resolve(kit.joined[room]?.heard), room)).toEqual([])
})

test('a page hands on its refreshed token and loses what the new one may not hear', async () => {
  const [maya, stranger] = [await aMember(backend), await aMember(backend)]
  const room = await aRoom(owner, maya)
  await joinPrivately(maya.token, room)
  const said = await page.run(
    async ({ room, token }) => {
      const { channel, said } = kit.joined[room] as Joined
      const client = channel.socket as ReturnType<Kit['client']>
      client.token = token
      await client.setAuth()
      await kit.until(() => channel.state === 'closed')
      return said.at(-1)?.message
    },
    { room, token: stranger.token },
  )
  expect(said).toContain('You no longer have permission to read')
})

test('after its connection broke, a page is back by itself and hears the room again', async () => {
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

/** Payloads that the page heard, each with whether it was a replayed one. */
function heardIn(room: string, count: number): Promise<[unknown, boolean][]> {
  return page.run(
    async ({ room, count }) => {
      const { heard } = kit.joined[room] as Joined
      await kit.until(() => heard.length >= count)
      return heard.map(({ payload, meta }): [unknown, boolean] => {
        const { id: _, ...rest } = payload as { id: string }
        return [rest, meta?.replayed ?? false]
      })
    },
    { room, count },
  )
}
