// Losing a right, in any way, ends the live topics that depend on it.
import { randomUUID } from 'node:crypto'
import {
  createClient,
  REALTIME_SUBSCRIBE_STATES,
  type RealtimeChannel,
  type SupabaseClient,
} from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { adminsNeedFactor, aDevice, aFactor, noFactor } from './assurance-sessions.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ann: Person
let bea: Person
beforeAll(async () => (team = await aTeam()))
beforeEach(async () => {
  ann = await team.aMember()
  bea = await team.aMember()
})
afterEach(() => adminsNeedFactor(team, false))
afterAll(() => team?.close())

async function joined(client: SupabaseClient, topic: string): Promise<RealtimeChannel> {
  const channel = client.channel(topic, { config: { private: true, presence: { enabled: true } } })
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) =>
      status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED
        ? resolve()
        : reject(error ?? new Error(status)),
    )
  })
  return channel
}

const closed = (channel: RealtimeChannel) => vi.waitFor(() => expect(channel.state).toBe('closed'))

const createChat = async (others: Person[], name: string | null = null) => {
  const { data, error } = await call<string>(ann, 'create_chat', {
    member_ids: others.map(({ id }) => id),
    name,
    first_message: 'Hi',
  })
  if (error) throw error
  return data ?? ''
}

const setMember = (set: string) =>
  team.sql(`update private.members set ${set} where id = $1`, [bea.id])

test.each([
  ['may no longer use the team chat', 'rally_enabled = false', () => team.mandatoryChatId],
  ['is deactivated', "status = 'suspended'", () => team.mandatoryChatId],
])('a member who %s receives nothing more of it', async (_what, change, chatId) => {
  const channel = await joined(bea.client, `chat:${chatId()}`)
  await setMember(change)
  await closed(channel)
})

test('a deactivated member with no other rights receives nothing more from the team topic', async () => {
  await setMember('rally_enabled = false, can_create_chats = false, can_send_messages = false')
  const channel = await joined(bea.client, 'team')
  await setMember("status = 'removed'")
  await closed(channel)
})

test.each([
  ['deleted', 'delete from private.chat_participants where chat_id = $1 and user_id = $2'],
  [
    'moved to somebody else',
    `update private.chat_participants set user_id = (select id from private.members where email = 'first@example.com')
     where chat_id = $1 and user_id = $2`,
  ],
])('a participant whose row is %s receives nothing more', async (_what, sql) => {
  const chatId = await createChat([bea, await team.aMember()], 'Squad')
  const channel = await joined(bea.client, `chat:${chatId}`)
  await team.sql(sql, [chatId, bea.id])
  await closed(channel)
})

test('a member who leaves a chat of two is no longer seen online by the other', async () => {
  const chatId = await createChat([bea])
  const channel = await joined(ann.client, `online:${bea.id}`)
  await team.sql(
    'update private.chat_participants set is_active = false where chat_id = $1 and user_id = $2',
    [chatId, bea.id],
  )
  await closed(channel)
})

test('nobody is seen online because of a chat of two that was closed', async () => {
  const chatId = await createChat([bea])
  const channel = await joined(ann.client, `online:${bea.id}`)
  await team.sql('update public.chats set is_active = false where id = $1', [chatId])
  await closed(channel)
})

test('a member who may not send messages cannot track presence, and what they tracked before goes', async () => {
  const chatId = await createChat([bea, await team.aMember()], 'Squad')
  const topic = `typing:${chatId}`
  const seen = await joined(ann.client, topic)
  const shown = () => Object.values(seen.presenceState()).flat()
  const channel = await joined(bea.client, topic)
  expect(await channel.track({ text: 'Read this' })).toBe('ok')
  await vi.waitFor(() => expect(shown()).toMatchObject([{ text: 'Read this' }]))

  await setMember('can_send_messages = false')
  await vi.waitFor(() => expect(shown()).toEqual([]))
  expect(await channel.track({ text: 'And this' })).toBe('error')
  expect(channel.state).toBe('joined')

  await setMember('can_send_messages = true')
  await vi.waitFor(async () => expect(await channel.track({})).toBe('ok'))
  await vi.waitFor(() => expect(shown()).toHaveLength(1))
})

async function aSession(): Promise<{ id: string; client: SupabaseClient }> {
  const id = randomUUID()
  await team.sql('insert into auth.sessions (id, user_id) values ($1, $2)', [id, bea.id])
  const now = Math.floor(team.backend.clock.now() / 1000)
  const claims = { sub: bea.id, role: 'authenticated', session_id: id, iat: now, exp: now + 3600 }
  const token = await team.backend.tokens.sign(claims)
  const client = createClient(team.backend.url, team.backend.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
    accessToken: () => Promise.resolve(token),
  })
  return { id, client }
}

test('a revoked session loses its channels and joins no others; the member’s other sessions stay', async () => {
  const [phone, laptop] = [await aSession(), await aSession()]
  const onPhone = await joined(phone.client, 'team')
  const onLaptop = await joined(laptop.client, 'team')
  await team.sql('delete from auth.sessions where id = $1', [phone.id])
  await closed(onPhone)
  expect(onLaptop.state).toBe('joined')
  await expect(joined(phone.client, `user:${bea.id}`)).rejects.toThrow('Unauthorized')
  await Promise.all([phone, laptop].map(({ client }) => client.realtime.disconnect()))
})

test.each([
  ['suspended', `update auth.users set banned_until = now() + interval '1 day' where id = $1`],
  ['deleted', 'delete from auth.users where id = $1'],
])('an account that is %s loses its channels', async (_what, sql) => {
  const { client } = await aSession()
  const channel = await joined(client, 'team')
  await team.sql(sql, [bea.id])
  await closed(channel)
  await client.realtime.disconnect()
})

test('typing is published in the caller’s own name, at most every two seconds', async () => {
  const chatId = await createChat([bea, await team.aMember()], 'Squad')
  const channel = await joined(ann.client, `typing:${chatId}`)
  const received: unknown[] = []
  channel.on('broadcast', { event: '*' }, ({ payload }) => received.push(payload))
  await call(bea, 'publish_typing', { chat_id: chatId })
  await call(bea, 'publish_typing', { chat_id: chatId })
  await vi.waitFor(() => expect(received).toMatchObject([{ user_id: bea.id }]))
  const rows = await team.sql('select from realtime.messages where topic = $1', [
    `typing:${chatId}`,
  ])
  expect(rows).toHaveLength(1)
  const forged = await joined(bea.client, `typing:${chatId}`)
  await expect(forged.httpSend('typing', { user_id: ann.id })).rejects.toThrow('Unauthorized')
})

test('a supervisor without a second factor loses the live topic when the team asks for one', async () => {
  await setMember('can_supervise = true')
  const channel = await joined(bea.client, `supervisor:${bea.id}`)
  await adminsNeedFactor(team, true)
  await closed(channel)
})

test('an admin who turns off the second factor that the team asks for loses the admins’ topic', async () => {
  await setMember("role = 'admin'")
  await aFactor(team, bea)
  const device = await aDevice(team, bea, 'aal2')
  await adminsNeedFactor(team, true)
  const channel = await joined(device.client, 'admins')
  await noFactor(team, bea)
  await team.sql("update auth.sessions set aal = 'aal1' where user_id = $1", [bea.id])
  await closed(channel)
})
