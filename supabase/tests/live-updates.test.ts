// What the database publishes, and to whom.
import { randomUUID } from 'node:crypto'
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel } from '@supabase/supabase-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { publishNotice } from './publish-notice.ts'
import { anItem } from './rights-cases-content.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ann: Person
let bea: Person
let cal: Person
beforeEach(async () => {
  team = await aTeam()
  ann = await team.aMember()
  bea = await team.aMember()
  cal = await team.aMember()
  await team.sql('delete from realtime.messages')
})
afterEach(() => team?.close())

type Announcement = {
  topic: string
  event: string
  payload: Record<string, unknown>
  private: boolean
}

/** What was published since the last call. */
async function announced(): Promise<Announcement[]> {
  const rows = await team.sql<Announcement>(
    `select each as topic, event, payload, private
     from realtime.messages, unnest(coalesce(topics, array[topic])) each order by inserted_at, each`,
  )
  await team.sql('delete from realtime.messages')
  expect(rows.every((row) => row.private)).toBe(true)
  return rows
}

async function aGroup(): Promise<string> {
  const { data, error } = await call<string>(ann, 'create_chat', {
    member_ids: [bea.id, cal.id],
    name: 'Squad',
    first_message: 'Hi',
  })
  if (error) throw error
  await announced()
  return data ?? ''
}

function joined(channel: RealtimeChannel) {
  return new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) =>
      status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED
        ? resolve()
        : reject(error ?? new Error(status)),
    )
  })
}

const topicsOf = (rows: Announcement[], event: string) =>
  rows
    .filter((row) => row.event === event)
    .map((row) => row.topic)
    .sort()

test('a message is published to its chat, and to each participant as a chat list change', async () => {
  const chatId = await aGroup()
  await bea.client
    .from('chat_messages')
    .insert({ chat_id: chatId, sender_id: bea.id, message: 'Hello' })
  const rows = await announced()
  expect(rows.find((row) => row.event === 'message_inserted')).toMatchObject({
    topic: `chat:${chatId}`,
    payload: {
      chat_id: chatId,
      sender_id: bea.id,
      message: 'Hello',
      is_deleted: false,
      edited_at: null,
    },
  })
  expect(topicsOf(rows, 'chat_changed')).toEqual(
    [ann, bea, cal].map((each) => `user:${each.id}`).sort(),
  )
})

test('hosted Supabase, which has no batch call, gets one broadcast per topic', async () => {
  await team.sql('drop function realtime.send_to_topics')
  const chatId = await aGroup()
  await bea.client
    .from('chat_messages')
    .insert({ chat_id: chatId, sender_id: bea.id, message: 'Hello' })
  expect(topicsOf(await announced(), 'chat_changed')).toEqual(
    [ann, bea, cal].map((each) => `user:${each.id}`).sort(),
  )
})

test('a deletion is published without the text', async () => {
  const chatId = await aGroup()
  await ann.client.from('chat_messages').update({ is_deleted: true }).eq('chat_id', chatId)
  const rows = await announced()
  expect(rows.find((row) => row.event === 'message_updated')).toMatchObject({
    topic: `chat:${chatId}`,
    payload: { is_deleted: true, message: '' },
  })
})

test('what was edited, deleted or erased is not replayed to those who join the topic', async () => {
  const chatId = await aGroup()
  const say = (message: string) => sayIn(chatId, message)
  const [edited, deleted, erased] = [await say('Typo'), await say('Secret'), await say('Gone')]
  await say('Kept')
  const own = ann.client.from('chat_messages')
  // A reaction publishes the text again.
  const reaction = { message_id: deleted, user_id: bea.id, emoji: '👍' }
  expect((await bea.client.from('chat_reactions').insert(reaction)).error).toBeNull()
  expect((await own.update({ message: 'Right' }).eq('id', edited)).error).toBeNull()
  expect((await own.update({ message: 'Right now' }).eq('id', edited)).error).toBeNull()
  expect((await own.update({ is_deleted: true }).eq('id', deleted)).error).toBeNull()
  await team.sql('delete from public.chat_messages where id = $1', [erased])

  const replayed = await replayedToNewcomer<{ message: string }>(chatId, 8)
  expect(replayed.map(({ message }) => message).filter(Boolean)).toEqual(['Kept', 'Right now'])
})

test('of a pinned message too, only the text that stands is replayed', async () => {
  const chatId = await aGroup()
  const say = (message: string) => sayIn(chatId, message)
  const [edited, deleted, erased] = [await say('Typo'), await say('Secret'), await say('Gone')]
  const ids = [edited, deleted, erased, await say('Kept')]
  for (const message_id of ids) {
    const pin = { message_id, created_by: ann.id }
    expect((await ann.client.from('chat_pins').insert(pin)).error).toBeNull()
  }
  const own = ann.client.from('chat_messages')
  expect((await own.update({ message: 'Right' }).eq('id', edited)).error).toBeNull()
  expect((await own.update({ is_deleted: true }).eq('id', deleted)).error).toBeNull()
  await team.sql('delete from public.chat_messages where id = $1', [erased])

  type Replayed = { pins?: { message: { message: string } }[] }
  // Four messages and their pins, two changes, and two pins that went with their messages.
  const replayed = await replayedToNewcomer<Replayed>(chatId, 12)
  const texts = replayed.flatMap(({ pins = [] }) => pins.map(({ message }) => message.message))
  expect(new Set(texts)).toEqual(new Set(['', 'Kept', 'Right']))
})

async function sayIn(chatId: string, message: string): Promise<string> {
  const id = randomUUID()
  const row = { id, chat_id: chatId, sender_id: ann.id, message }
  expect((await ann.client.from('chat_messages').insert(row)).error).toBeNull()
  return id
}

/** What somebody gets who is added to a chat now, and asks for what was published before: this many broadcasts. */
async function replayedToNewcomer<Payload>(chatId: string, count: number): Promise<Payload[]> {
  const dee = await team.aMember()
  await ann.client.from('chat_participants').insert({ chat_id: chatId, user_id: dee.id })
  const replayed: Payload[] = []
  const broadcast = { replay: { since: Date.now() - 3_600_000, limit: 25 } }
  const topic = dee.client.channel(`chat:${chatId}`, { config: { private: true, broadcast } })
  topic.on('broadcast', { event: '*' }, ({ payload }) => replayed.push(payload as Payload))
  await joined(topic)
  await vi.waitFor(() => expect(replayed).toHaveLength(count))
  return replayed
}

test('reading a chat notifies the reader’s other devices', async () => {
  const chatId = await aGroup()
  await bea.client.rpc('mark_chat_read', { chat_id: chatId })
  expect(topicsOf(await announced(), 'chat_changed')).toEqual([`user:${bea.id}`])
})

test('joining and leaving notify the member concerned', async () => {
  const chatId = await aGroup()
  const dee = await team.aMember()
  await announced()
  await ann.client.from('chat_participants').insert({ chat_id: chatId, user_id: dee.id })
  expect(topicsOf(await announced(), 'chat_changed')).toEqual([`user:${dee.id}`])
  await dee.client
    .from('chat_participants')
    .update({ is_active: false })
    .match({ chat_id: chatId, user_id: dee.id })
  expect(topicsOf(await announced(), 'chat_changed')).toEqual([`user:${dee.id}`])
})

test("a message to a large chat is published once, on the chat's topic", async () => {
  await team.sql(
    `with people as (
       insert into private.members (id, email) select gen_random_uuid(), n || '@example.com'
       from generate_series(1, 60) n returning id
     ) select count(*) from people`,
  )
  await announced()
  await ann.client
    .from('chat_messages')
    .insert({ chat_id: team.mandatoryChatId, sender_id: ann.id, message: 'Hi all' })
  const rows = await announced()
  expect(rows.map((row) => [row.topic, row.event])).toEqual([
    [`chat:${team.mandatoryChatId}`, 'message_inserted'],
  ])
})

test('changed permissions are published to the member, changed content to the team', async () => {
  const admin = await team.aMember({ isAdmin: true })
  await announced()
  await admin.client.from('users').update({ can_send_messages: false }).eq('id', bea.id)
  expect(await announced()).toMatchObject([
    { topic: `user:${bea.id}`, event: 'permissions_changed' },
  ])
  await admin.client.from('licensing_content').insert(anItem('licensing'))
  await admin.client.from('team_settings').update({ time_zone: 'America/Chicago' }).eq('id', true)
  expect((await announced()).map((row) => [row.topic, row.event, row.payload.table])).toEqual([
    ['team', 'content_changed', 'licensing_content'],
    ['team', 'content_changed', 'team_settings'],
  ])
})

test('publishing and withdrawing a notice notifies the team', async () => {
  const admin = await team.aMember({ isAdmin: true })
  await announced()
  const id = crypto.randomUUID()
  const toTheTeam = ['team', 'content_changed', 'team_notices']
  const published = async () =>
    (await announced()).map((row) => [row.topic, row.event, row.payload.table])
  await admin.client.from('team_notices').insert({ id, title: 'By mistake' } as never)
  expect(await published()).toEqual([toTheTeam])
  const cancelled_at = new Date().toISOString()
  await admin.client.from('team_notices').update({ cancelled_at }).eq('id', id)
  expect(await published()).toEqual([toTheTeam])
})

test('what is published to the team says over how long to spread reading it: two milliseconds a member, at most twenty seconds', async () => {
  const admin = await team.aMember({ isAdmin: true })
  await announced()
  await admin.client.from('licensing_content').insert(anItem('licensing'))
  const [small] = await announced()
  const [members] = await team.sql<{ count: number }>(
    'select count(*)::int from private.members where is_active',
  )
  expect(small?.payload.spread_ms).toBe(2 * (members?.count ?? 0))
  await team.sql(
    `alter table private.members disable trigger user;
     insert into private.members (id, email, first_name, last_name)
     select gen_random_uuid(), n || '@spread.example', 'Many', n::text from generate_series(1, 10001) n`,
  )
  const [large] = await team.sql<{ spread: number }>('select private.team_spread_ms() as spread')
  expect(large?.spread).toBe(20_000)
})

test('a ticked step notifies admins without naming the member, and only if something changed', async () => {
  const [step] = await team.sql<{ id: string }>(
    `insert into public.newrepstart_content (title) values ('Meet your trainer') returning id`,
  )
  await announced()
  const tick = { user_id: ann.id, item_id: step?.id ?? '' }
  const rows = () => ann.client.from('onboarding_progress')
  const published = { topic: 'admins', event: 'content_changed' }
  await rows().insert(tick)
  const [first] = await announced()
  expect(first).toMatchObject(published)
  expect(first?.payload).toMatchObject({ table: 'onboarding_progress' })
  expect(JSON.stringify(first?.payload)).not.toContain(ann.id)
  await rows().upsert(tick, { ignoreDuplicates: true })
  expect(await announced()).toEqual([])
  await rows().delete().match(tick)
  expect(await announced()).toMatchObject([published])
})

test('an admin is notified of ticks until they lose the role', async () => {
  const [lead, chief] = [
    await team.aMember({ isAdmin: true }),
    await team.aMember({ isAdmin: true }),
  ]
  const received: unknown[] = []
  const channel = lead.client.channel('admins', { config: { private: true } })
  channel.on('broadcast', { event: 'content_changed' }, ({ payload }) => received.push(payload))
  await joined(channel)
  const tickOne = () =>
    team.sql(
      `with step as (insert into public.newrepstart_content (title) values ('Step') returning id)
       insert into public.onboarding_progress (user_id, item_id) select $1, id from step`,
      [ann.id],
    )
  await tickOne()
  await vi.waitFor(() => expect(received).toMatchObject([{ table: 'onboarding_progress' }]))
  await chief.client.from('users').update({ role: 'user' }).eq('id', lead.id)
  await vi.waitFor(() => expect(channel.state).not.toBe('joined'))
  await tickOne()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(received).toHaveLength(1)
})

test('what a member reads or acknowledges is published once, to their own devices only', async () => {
  const admin = await team.aMember({ isAdmin: true })
  const notice_id = await publishNotice(admin, { must_acknowledge: true })
  await team.sql(
    `insert into private.reports (reporter_id, member_id, reason, outcome, closed_at)
     values ($1, $2, 'spam', 'fine', now())`,
    [bea.id, cal.id],
  )
  await team.sql("update private.members set status = 'waiting' where id = $1", [cal.id])
  await announced()
  for (const [person, name, values] of [
    [bea, 'mark_notice_opened', { notice_id }],
    [bea, 'acknowledge_notice', { notice_id }],
    [bea, 'mark_reports_seen', {}],
    [bea, 'mark_notifications_read', { until: new Date().toISOString() }],
    [admin, 'mark_newcomers_seen', {}],
  ] as const) {
    for (const outsider of person === admin ? [cal, ann] : [cal]) await call(outsider, name, values)
    expect(await announced(), name).toEqual([])
    await call(person, name, values)
    expect(topicsOf(await announced(), 'notifications_read'), name).toEqual([`user:${person.id}`])
    await call(person, name, values)
    expect(await announced(), name).toEqual([])
  }
})

test('a participant receives messages live until removed from the chat', async () => {
  const chatId = await aGroup()
  const received: unknown[] = []
  const channel = bea.client.channel(`chat:${chatId}`, { config: { private: true } })
  channel.on('broadcast', { event: 'message_inserted' }, ({ payload }) => received.push(payload))
  await joined(channel)
  const say = (message: string) =>
    ann.client.from('chat_messages').insert({ chat_id: chatId, sender_id: ann.id, message })

  await say('Before the removal')
  await vi.waitFor(() => expect(received).toMatchObject([{ message: 'Before the removal' }]))

  await ann.client
    .from('chat_participants')
    .update({ is_active: false })
    .match({ chat_id: chatId, user_id: bea.id })
  await vi.waitFor(() => expect(channel.state).not.toBe('joined'))
  await say('After the removal')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(received).toHaveLength(1)
})

test('who comes back learns which tables changed meanwhile, an admin those of the admins, a supervisor those of the own topic too', async () => {
  const admin = await team.aMember({ isAdmin: true })
  const [sue, sam] = [
    await team.aMember({ canSupervise: true }),
    await team.aMember({ canSupervise: true }),
  ]
  await team.sql('delete from realtime.messages')
  const changed = async (person: Person, seconds: number) =>
    (await call<string[]>(person, 'changed_tables', { seconds })).data?.toSorted()
  expect(await changed(ann, 60)).toEqual([])
  await team.sql("update public.team_settings set time_zone = 'America/Denver'")
  await team.sql("update private.members set first_name = 'Anna' where id = $1", [ann.id])
  await team.sql(
    `select realtime.send('{"table": "newcomers"}'::jsonb, 'content_changed', 'admins', true)`,
  )
  await team.sql(
    `select realtime.send('{"table": "review_items"}'::jsonb, 'content_changed', 'supervisor:' || $1, true)`,
    [sue.id],
  )
  expect(await changed(sue, 60)).toEqual(['review_items', 'team_settings', 'users'])
  await team.sql('update private.members set can_supervise = false where id = $1', [sue.id])
  for (const person of [sue, sam, ann])
    expect(await changed(person, 60)).toEqual(['team_settings', 'users'])
  expect(await changed(admin, 60)).toEqual(['newcomers', 'team_settings', 'users'])
  await team.sql("update realtime.messages set inserted_at = inserted_at - interval '2 minutes'")
  expect(await changed(ann, 60)).toEqual([])
  expect(await changed(ann, 180)).toEqual(['team_settings', 'users'])
  expect(await changed(ann, -1)).toEqual([])
})

test('nobody forges a change of a table', async () => {
  await ann.client
    .channel('team', { config: { private: true } })
    .httpSend('content_changed', { table: 'forged' })
    .catch(() => undefined)
  expect((await call(bea, 'changed_tables', { seconds: 60 })).data).not.toContain('forged')
})
