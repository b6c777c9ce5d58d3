// Forwarded messages: what is repeated, by whom, and where its image can be read.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aGroup, recordsOf, send } from './archive-records.ts'
import { aTeam, type Person, type Team } from './team.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const GONE = { message: 'The message to forward is no longer there' }

let team: Team
let maya: Person
let theo: Person
let olga: Person
let otto: Person
let from: string
let to: string

beforeAll(async () => {
  team = await aTeam()
  maya = await team.aMember({ firstName: 'Maya' })
  theo = await team.aMember({ firstName: 'Theo' })
  olga = await team.aMember({ firstName: 'Olga' })
  otto = await team.aMember({ firstName: 'Otto' })
})
afterAll(() => team?.close())
beforeEach(async () => {
  from = await aGroup(maya, [theo, await team.aMember()])
  to = await aGroup(theo, [olga, otto])
})

const forward = (person: Person, forwarded_from: string, extras: object = {}, chat_id = to) => {
  const row = { id: randomUUID(), chat_id, sender_id: person.id, message: 'Something else' }
  const request = person.client.from('chat_messages').insert({ ...row, forwarded_from, ...extras })
  return { id: row.id, request }
}
const stored = async (id: string) => {
  const [row] = await team.sql('select * from public.chat_messages where id = $1', [id])
  return row
}
const change = (person: Person, id: string, values: object) =>
  person.client.from('chat_messages').update(values).eq('id', id)
const images = ({ client }: Person) => client.storage.from('chat-images')

async function anImageMessage(): Promise<{ id: string; path: string }> {
  const id = randomUUID()
  const path = `${from}/${id}.png`
  const { error } = await images(maya).upload(path, PNG, { contentType: 'image/png' })
  if (error) throw error
  const row = { id, chat_id: from, sender_id: maya.id, message: 'The plan' }
  const attachment = { path, width: 1, height: 1 }
  await maya.client
    .from('chat_messages')
    .insert({ ...row, attachment })
    .throwOnError()
  return { id, path }
}

test('a forwarded message has the words of the original, whatever was claimed, and mentions and quotes nobody', async () => {
  const original = await send(maya, 'Renewal is on Friday', from)
  const quoted = await send(olga, 'Hello', to)
  const { id, request } = forward(theo, original, { reply_to: quoted, mentions: [olga.id] })
  await request.throwOnError()
  expect(await stored(id)).toMatchObject({
    message: 'Renewal is on Friday',
    sender_id: theo.id,
    forwarded_from: original,
    reply_to: null,
    mentions: [],
  })
})

test('one that was edited meanwhile is forwarded as it is now', async () => {
  const original = await send(maya, 'Renewal is on Friday', from)
  await change(maya, original, { message: 'Renewal is on Monday' }).throwOnError()
  const { id, request } = forward(theo, original)
  await request.throwOnError()
  expect(await stored(id)).toMatchObject({ message: 'Renewal is on Monday' })
})

test('what the member may not read, or was deleted, is not forwarded, and both look like a message that never was', async () => {
  const foreign = await send(maya, 'Just us', from)
  const deleted = await send(olga, 'Oops', to)
  await change(olga, deleted, { is_deleted: true }).throwOnError()
  for (const original of [foreign, deleted, randomUUID()])
    expect((await forward(olga, original).request).error).toMatchObject(GONE)
})

test('nobody forwards to a chat in which they may not write', async () => {
  const original = await send(olga, 'Hello', to)
  const { error } = await forward(olga, original, {}, from).request
  expect(error).toMatchObject({ code: '42501' })
})

test('nobody edits a forwarded message, its sender deletes it', async () => {
  const original = await send(maya, 'Renewal is on Friday', from)
  const { id, request } = forward(theo, original)
  await request.throwOnError()
  const { error } = await change(theo, id, { message: 'Renewal is free' })
  expect(error).toMatchObject({ message: 'A forwarded message cannot be edited' })
  await change(theo, id, { is_deleted: true }).throwOnError()
  expect(await stored(id)).toMatchObject({ is_deleted: true })
})

test('an image is copied into the chat, where its participants alone see it, and stays when the original goes', async () => {
  const original = await anImageMessage()
  const id = randomUUID()
  const path = `${to}/${id}.png`
  const copied = await images(theo).copy(original.path, path)
  expect(copied.error).toBeNull()
  const attachment = { path, width: 1, height: 1 }
  await forward(theo, original.id, { id, attachment }).request.throwOnError()
  expect(await stored(id)).toMatchObject({ message: 'The plan', attachment })
  expect((await images(olga).download(path)).data).not.toBeNull()
  expect((await images(maya).download(path)).data).toBeNull()
  expect((await images(olga).download(original.path)).data).toBeNull()
  await change(maya, original.id, { is_deleted: true }).throwOnError()
  expect((await images(olga).download(path)).data).not.toBeNull()
  await olga.client
    .from('chat_participants')
    .update({ is_active: false })
    .match({ chat_id: to, user_id: olga.id })
    .throwOnError()
  expect((await images(olga).download(path)).data).toBeNull()
})

test('an image is neither left out nor added, nor copied from where the member may not look', async () => {
  const original = await anImageMessage()
  const text = await send(maya, 'Words only', from)
  expect((await forward(theo, original.id).request).error).toMatchObject(GONE)
  const id = randomUUID()
  const path = `${to}/${id}.png`
  await images(theo).upload(path, PNG, { contentType: 'image/png' })
  const attachment = { path, width: 1, height: 1 }
  expect((await forward(theo, text, { id, attachment }).request).error).toMatchObject(GONE)
  const stolen = await images(olga).copy(original.path, `${to}/${randomUUID()}.png`)
  expect(stolen.error).not.toBeNull()
})

test('the archive has what was forwarded, and from which message', async () => {
  const original = await send(maya, 'Renewal is on Friday', from)
  const { id, request } = forward(theo, original)
  await request.throwOnError()
  expect(await recordsOf(team, id)).toMatchObject([
    {
      kind: 'message.sent',
      actor_id: theo.id,
      content: { text: 'Renewal is on Friday', forwarded_from: original },
    },
  ])
})
