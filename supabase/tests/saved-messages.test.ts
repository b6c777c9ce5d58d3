// Saved messages: what a member keeps for themselves, and when it is gone.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aGroup, recordsOf, send } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let maya: Person
let theo: Person
let chatId: string

beforeAll(async () => {
  team = await aTeam()
})
afterAll(() => team?.close())
beforeEach(async () => {
  maya = await team.aMember({ firstName: 'Maya' })
  theo = await team.aMember({ firstName: 'Theo' })
  chatId = await aGroup(maya, [theo, await team.aMember()])
})

const save = (person: Person, message_id: string, user_id = person.id) =>
  person.client.from('saved_messages').insert({ message_id, user_id })
const unsave = (person: Person, message_id: string) =>
  person.client.from('saved_messages').delete().eq('message_id', message_id)

type Saved = { message_id: string; message: string; saved_at: string }

const saved = async (person: Person, args = {}) =>
  (await call<Saved[]>(person, 'my_saved_messages', args)).data ?? []
const savedIds = async (person: Person) => (await saved(person)).map((each) => each.message_id)

test('a member saves messages, finds them latest first with their present text, page by page', async () => {
  const ids = [await send(theo, 'One', chatId), await send(theo, 'Two', chatId)]
  for (const id of ids) await save(maya, id).throwOnError()
  await theo.client.from('chat_messages').update({ message: 'Two, edited' }).eq('id', ids[1])
  const [latest, ...rest] = await saved(maya, { max_results: 1 })
  expect(rest).toEqual([])
  expect(latest).toMatchObject({
    message: 'Two, edited',
    chat_id: chatId,
    sender_name: 'Theo Doe',
  })
  const next = await saved(maya, { max_results: 1, before: latest?.saved_at })
  expect(next.map(({ message }) => message)).toEqual(['One'])
  await unsave(maya, ids[1]!).throwOnError()
  expect(await savedIds(maya)).toEqual([ids[0]])
})

test('nobody else learns of it, and nobody saves for another', async () => {
  const id = await send(theo, 'One', chatId)
  await save(maya, id).throwOnError()
  expect(await savedIds(theo)).toEqual([])
  expect((await theo.client.from('saved_messages').select()).data).toEqual([])
  expect((await save(theo, id, maya.id)).error).toMatchObject({ code: '42501' })
  await unsave(theo, id).throwOnError()
  expect(await savedIds(maya)).toEqual([id])
  expect((await recordsOf(team, id)).map(({ kind }) => kind)).toEqual(['message.sent'])
})

test('a message that does not exist, was deleted or is in a chat of others looks the same', async () => {
  const foreign = await send(theo, 'Not hers', await aGroup(theo, [await team.aMember()]))
  const deleted = await send(maya, 'Oops', chatId)
  await maya.client.from('chat_messages').update({ is_deleted: true }).eq('id', deleted)
  for (const id of [foreign, deleted, randomUUID()])
    expect((await save(maya, id)).error).toMatchObject({
      code: '23503',
      message: 'There is no such message',
    })
})

test('what is deleted, or in a chat the member left or was removed from, is no longer saved', async () => {
  const [deleted, left] = [await send(theo, 'One', chatId), await send(theo, 'Two', chatId)]
  for (const id of [deleted, left]) await save(theo, id).throwOnError()
  await theo.client.from('chat_messages').update({ is_deleted: true }).eq('id', deleted)
  expect(await savedIds(theo)).toEqual([left])
  await maya.client
    .from('chat_participants')
    .update({ is_active: false })
    .match({ chat_id: chatId, user_id: theo.id })
    .throwOnError()
  expect(await savedIds(theo)).toEqual([])
  expect(await team.sql('select from public.saved_messages where user_id = $1', [theo.id])).toEqual(
    [],
  )
})

test('the Rally chat switched off hides what was saved there until it is on again', async () => {
  const id = await send(theo, 'Hello team', team.mandatoryChatId)
  await save(maya, id).throwOnError()
  const allow = (on: boolean) =>
    team.sql('update private.members set rally_enabled = $2 where id = $1', [maya.id, on])
  await allow(false)
  expect(await savedIds(maya)).toEqual([])
  expect((await maya.client.from('saved_messages').select()).data).toEqual([])
  await allow(true)
  expect(await savedIds(maya)).toEqual([id])
})

test('1000 messages can be saved, however many are saved at once', async () => {
  await team.sql(
    `with sent as (
       insert into public.chat_messages (chat_id, sender_id, message)
       select $1, $2, 'Number ' || n from generate_series(1, 999) n returning id
     ) insert into public.saved_messages (user_id, message_id) select $2, id from sent`,
    [chatId, maya.id],
  )
  const ids = await Promise.all([1, 2, 3].map((n) => send(theo, `More ${n}`, chatId)))
  const errors = await Promise.all(ids.map(async (id) => (await save(maya, id)).error?.message))
  expect(errors.filter((error) => error === 'At most 1000 messages can be saved')).toHaveLength(2)
})

test("other devices learn of it, and it is in the member's data export", async () => {
  const id = await send(theo, 'One', chatId)
  await save(maya, id).throwOnError()
  const events = await team.sql(
    "select payload from realtime.messages where topic = $1 and event = 'saved_changed'",
    [`user:${maya.id}`],
  )
  expect(events).toMatchObject([{ payload: { chat_id: chatId } }])
  const { data } = await call<{ saved_messages: Saved[] }>(maya, 'export_my_data')
  expect(data?.saved_messages.map((each) => each.message_id)).toEqual([id])
})
