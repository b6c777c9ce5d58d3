// Mentions of a participant and replies to them, and chats in which nothing else notifies.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { pushScene, type PushScene } from './push-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let push: PushScene
let ann: Person
let bea: Person
let cal: Person
let chat: string

beforeAll(async () => {
  team = await aTeam()
  push = pushScene(team)
})
afterAll(() => team?.close())
beforeEach(async () => {
  await push.clear()
  ann = await team.aMember({ firstName: 'Ann' })
  bea = await team.aMember({ firstName: 'Bea' })
  cal = await team.aMember({ firstName: 'Cal' })
  chat = await push.aChat([ann, bea, cal])
})

type Listed = {
  chat_id: string
  unread_count: number
  is_mentioned: boolean
  mentions_only: boolean
}

const listed = async (person: Person) =>
  (await call<Listed[]>(person, 'chat_list')).data?.find(({ chat_id }) => chat_id === chat)
const isMentioned = async (person: Person) => (await listed(person))?.is_mentioned
const badge = async (person: Person) =>
  (await team.sql<{ badge: number }>('select private.unread_badge($1) as badge', [person.id]))[0]
    ?.badge

async function say(person: Person, message: string, extras: object = {}): Promise<string> {
  const row = { id: crypto.randomUUID(), chat_id: chat, sender_id: person.id, message, ...extras }
  await person.client.from('chat_messages').insert(row).throwOnError()
  return row.id
}

const events = () =>
  team.sql(
    `select from realtime.messages where topic = $1 and event = 'chat_changed' and payload ->> 'chat_id' = $2`,
    [`user:${bea.id}`, chat],
  )

const setLevel = (person: Person, change: object) =>
  person.client
    .from('chat_participants')
    .update(change)
    .match({ chat_id: chat, user_id: person.id })
    .throwOnError()

test('a mention and a reply show to whom they are meant for until read, and to nobody else', async () => {
  await say(ann, 'Hello all')
  expect(await isMentioned(bea)).toBe(false)
  const question = await say(bea, 'Who comes?')
  await say(ann, 'Bea, you lead', { mentions: [bea.id] })
  expect([await isMentioned(bea), await isMentioned(cal)]).toEqual([true, false])
  await call(bea, 'mark_chat_read', { chat_id: chat })
  expect(await isMentioned(bea)).toBe(false)
  await say(cal, 'Me', { reply_to: question })
  expect([await isMentioned(bea), await isMentioned(ann)]).toEqual([true, false])
  await say(cal, 'Also me', { reply_to: await say(cal, 'Note to self') })
  expect(await isMentioned(cal)).toBe(false)
})

test('a mention that is deleted shows no more, an earlier one still does, a restored one again', async () => {
  const first = await say(ann, 'Bea?', { mentions: [bea.id] })
  const second = await say(ann, 'Bea!', { mentions: [bea.id] })
  const remove = (id: string) =>
    ann.client.from('chat_messages').update({ is_deleted: true }).eq('id', id).throwOnError()
  await remove(second)
  expect(await isMentioned(bea)).toBe(true)
  await remove(first)
  expect(await isMentioned(bea)).toBe(false)
  await call(ann, 'restore_message', { message_id: first })
  expect(await isMentioned(bea)).toBe(true)
})

test('mentions by somebody who is blocked do not show, until they are unblocked', async () => {
  await say(ann, 'Bea!', { mentions: [bea.id] })
  await call(bea, 'block_member', { member_id: ann.id })
  expect(await isMentioned(bea)).toBe(false)
  await say(ann, 'Bea?', { mentions: [bea.id] })
  expect(await isMentioned(bea)).toBe(false)
  await call(bea, 'unblock_member', { member_id: ann.id })
  expect(await isMentioned(bea)).toBe(true)
})

test('with mentions only, a mention and a reply are pushed and count as one, the rest is not', async () => {
  await push.aDevice(bea)
  await setLevel(bea, { mentions_only: true })
  const question = await say(bea, 'Who comes?')
  await say(ann, 'Nice weather')
  expect([await push.claim(), await badge(bea)]).toEqual([[], 0])
  expect(await listed(bea)).toMatchObject({ unread_count: 1, mentions_only: true })
  await say(cal, 'Me', { reply_to: question })
  await say(ann, 'And it stays so')
  expect(await push.claim()).toMatchObject([{ body: 'Cal Doe: Me', badge: 1 }])
  await say(ann, 'Bea, call me', { mentions: [bea.id] })
  expect(await push.claim()).toMatchObject([{ body: 'Ann Doe: Bea, call me', badge: 1 }])
  await setLevel(bea, { muted_until: 'infinity' })
  await say(ann, 'Bea?', { mentions: [bea.id] })
  expect([await push.claim(), await badge(bea)]).toEqual([[], 0])
})

test('what waits when somebody chooses mentions only is not sent, and what is chosen is live', async () => {
  await push.aDevice(bea)
  await say(ann, 'Nice weather')
  await team.sql('select private.spread_push_outbox()')
  const before = (await events()).length
  await setLevel(bea, { mentions_only: true })
  expect(await events()).toHaveLength(before + 1)
  expect(await push.claim()).toEqual([])
  expect(await push.fates()).toEqual([{ state: 'skipped', reason: 'mentions only' }])
})

test('in a chat of more than 50, each reply is pushed where only mentions are wanted', async () => {
  await push.aDevice(bea)
  await setLevel(bea, { mentions_only: true })
  const question = await say(bea, 'Who comes?')
  await team.sql(
    'create or replace function private.is_large_chat(chat uuid) returns boolean language sql as $$ select true $$',
  )
  for (const answer of ['Me', 'Me too']) {
    await say(cal, answer, { reply_to: question })
    expect(await push.claim()).toMatchObject([{ body: `Cal Doe: ${answer}` }])
  }
})

test('people who are mentioned together by many at once are all mentioned, without a deadlock', async () => {
  const people = [ann, bea, cal]
  const work = Array.from({ length: 30 }, (_, n) =>
    say(people[n % 3]!, `Number ${n}`, {
      mentions: (n % 2 ? people : people.toReversed()).map(({ id }) => id),
    }),
  )
  await Promise.all(work)
  expect(await Promise.all(people.map(isMentioned))).toEqual([true, true, true])
})
