// Pinned messages: who pins, how many, and what becomes of a pin.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aGroup, recordsOf, send } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ada: Person
let maya: Person
let theo: Person
let chatId: string

beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
  maya = await team.aMember({ firstName: 'Maya' })
  theo = await team.aMember({ firstName: 'Theo' })
})
afterAll(() => team?.close())
beforeEach(async () => {
  chatId = await aGroup(maya, [theo, ada])
})

const pin = (person: Person, message_id: string) =>
  person.client.from('chat_pins').insert({ message_id, created_by: person.id })
const unpin = (person: Person, message_id: string) =>
  person.client.from('chat_pins').delete().eq('message_id', message_id).select('message_id')
const change = (person: Person, id: string, values: object) =>
  person.client.from('chat_messages').update(values).eq('id', id).throwOnError()

async function pinned(person: Person, id = chatId): Promise<string[]> {
  const { data } = await person.client.from('chat_pins').select('message_id').eq('chat_id', id)
  return (data ?? []).map(({ message_id }) => message_id as string)
}

async function aPair(): Promise<{ one: Person; other: Person; id: string }> {
  const [one, other] = [await team.aMember(), await team.aMember()]
  const { data } = await call<string>(one, 'create_chat', {
    member_ids: [other.id],
    name: null,
    first_message: 'Hello',
  })
  return { one, other, id: data ?? '' }
}

test("a group's creator and its admins pin anybody's message and unpin it, other members do not", async () => {
  const message = await send(theo, 'Friday at nine', chatId)
  expect((await pin(theo, message)).error).toMatchObject({ code: '42501' })
  await pin(maya, message).throwOnError()
  expect(await pinned(theo)).toEqual([message])
  expect((await unpin(theo, message)).data).toEqual([])
  await unpin(ada, message).throwOnError()
  expect(await pinned(theo)).toEqual([])
  await pin(ada, message).throwOnError()
  expect(await pinned(theo)).toEqual([message])
})

test('in a chat of two both pin, until one blocks the other', async () => {
  const { one, other, id } = await aPair()
  const message = await send(one, 'My number is 0170', id)
  await pin(other, message).throwOnError()
  await unpin(one, message).throwOnError()
  await call(one, 'block_member', { member_id: other.id })
  expect((await pin(other, message)).error).toMatchObject({ code: '42501' })
  expect((await pin(one, message)).error).toMatchObject({ code: '42501' })
})

test('a message that does not exist, was deleted or is in a chat of others looks the same', async () => {
  const { one, id } = await aPair()
  const foreign = await send(one, 'Just us', id)
  const deleted = await send(maya, 'Oops', chatId)
  await change(maya, deleted, { is_deleted: true })
  for (const message of [foreign, deleted, randomUUID()])
    expect((await pin(maya, message)).error).toMatchObject({
      code: '23503',
      message: 'There is no such message',
    })
})

test('a chat has at most 20 pins, however many are pinned at once', async () => {
  const messages = await Promise.all(
    Array.from({ length: 22 }, (_, n) => send(maya, `Number ${n}`, chatId)),
  )
  const errors = await Promise.all(messages.map(async (id) => (await pin(maya, id)).error?.message))
  expect(errors.filter((error) => error === 'A chat has at most 20 pinned messages')).toHaveLength(
    2,
  )
  expect(await pinned(theo)).toHaveLength(20)
})

test('a message that is deleted is no longer pinned, also when that is undone', async () => {
  const message = await send(maya, 'Friday at nine', chatId)
  await pin(maya, message).throwOnError()
  await change(maya, message, { is_deleted: true })
  expect(await pinned(theo)).toEqual([])
  await call(maya, 'restore_message', { message_id: message })
  expect(await pinned(theo)).toEqual([])
})

test('pinning and unpinning, also by deleting, are in the archive', async () => {
  const message = await send(theo, 'Friday at nine', chatId)
  await pin(maya, message).throwOnError()
  await unpin(ada, message).throwOnError()
  await pin(maya, message).throwOnError()
  await change(theo, message, { is_deleted: true })
  const records = await recordsOf(team, message)
  expect(records.map(({ kind, actor_id }) => [kind, actor_id])).toEqual([
    ['message.sent', theo.id],
    ['message.pinned', maya.id],
    ['message.unpinned', ada.id],
    ['message.pinned', maya.id],
    ['message.deleted', theo.id],
    ['message.unpinned', theo.id],
  ])
  expect(records[1]).toMatchObject({ member_id: theo.id, audience: 'chat', chat_id: chatId })
})

test('an open thread learns the whole list of pins, the latest first', async () => {
  const messages = [await send(maya, 'One', chatId), await send(maya, 'Two', chatId)]
  for (const message of messages) await pin(maya, message).throwOnError()
  const [latest] = await team.sql<{ payload: { pins: { message_id: string }[] } }>(
    `select payload from realtime.messages
     where topic = $1 and event = 'pins_changed' order by inserted_at desc limit 1`,
    [`chat:${chatId}`],
  )
  expect(latest?.payload.pins).toMatchObject([
    { message_id: messages[1], created_by: maya.id, message: { message: 'Two' } },
    { message_id: messages[0] },
  ])
})

test("what a member pinned is in their data export, another's is not", async () => {
  const [mine, theirs] = [await send(maya, 'One', chatId), await send(maya, 'Two', chatId)]
  await pin(maya, mine).throwOnError()
  await pin(ada, theirs).throwOnError()
  const { data } = await call<{ chat_pins: { message_id: string }[] }>(maya, 'export_my_data')
  const exported = data?.chat_pins.map((each) => each.message_id)
  expect(exported).toContain(mine)
  expect(exported).not.toContain(theirs)
})
