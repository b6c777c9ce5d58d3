// Removing a member's message: everybody learns that it was removed, and only its sender why, whichever way one looks.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aGroup, recordsOf, send } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

const REASON = 'Names a customer'

let team: Team
let ada: Person
let grace: Person
let maya: Person
let theo: Person
let chatId: string

beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
  grace = await team.aMember({ firstName: 'Grace', isAdmin: true })
  maya = await team.aMember({ firstName: 'Maya' })
  theo = await team.aMember({ firstName: 'Theo' })
  chatId = await aGroup(maya, [theo, ada, grace])
})
afterAll(() => team?.close())
beforeEach(() => team.sql('delete from realtime.messages'))

const remove = (by: Person, message_id: string, reason = REASON) =>
  call(by, 'remove_message', { message_id, reason })

type Change = { id: string; message: string; is_removed: boolean; deleted_reason: string | null }
const changeFor = async (person: Person, id: string) => {
  const since = new Date(Date.now() - 60_000).toISOString()
  const { data } = await call<Change[]>(person, 'chat_changes', { chat_id: chatId, since })
  return data?.find((each) => each.id === id)
}

test('everybody learns that it was removed, without its text; the sender also why', async () => {
  const id = await send(maya, 'Mrs. Miller signs', chatId)
  expect((await remove(ada, id)).error).toBeNull()
  expect(await changeFor(maya, id)).toMatchObject({ is_removed: true, deleted_reason: REASON })
  for (const person of [theo, grace])
    expect(await changeFor(person, id)).toMatchObject({
      is_removed: true,
      deleted_reason: null,
      message: '',
    })
})

test('neither members nor other admins find the reason anywhere', async () => {
  const quoted = await send(maya, 'The customer Miller', chatId)
  const reply = { id: randomUUID(), chat_id: chatId, sender_id: theo.id, message: 'Which one?' }
  await theo.client
    .from('chat_messages')
    .insert({ ...reply, reply_to: quoted, mentions: [maya.id] })
    .throwOnError()
  await remove(ada, quoted)

  for (const person of [theo, grace]) {
    const seen = await Promise.all([
      person.client.from('chat_messages').select('*'),
      person.client.from('chat_messages').select('*, quoted:reply_to(*)').eq('id', reply.id),
      person.client.from('chat_messages').select('*').ilike('deleted_reason', '%customer%'),
      person.client.rpc('chat_changes', { chat_id: chatId, since: '2020-01-01' }),
      person.client.rpc('chat_list', { with_hidden: true }),
      person.client.rpc('search_messages', { query: 'customer' }),
      person.client.rpc('my_notifications'),
      person.client.rpc('audit_entries'),
      person.client.rpc('export_my_data'),
      person.client.rpc('restore_message', { message_id: quoted }),
    ])
    expect(JSON.stringify(seen)).not.toContain(REASON)
  }
  const published = await team.sql<{ payload: string }>(
    'select payload::text from realtime.messages',
  )
  expect(published.some(({ payload }) => payload.includes('"is_removed": true'))).toBe(true)
  expect(JSON.stringify(published)).not.toContain(REASON)
})

test('what its sender deleted is not removed; taken back, it carries no reason', async () => {
  const id = await send(maya, 'Mine', chatId)
  await maya.client
    .from('chat_messages')
    .update({ is_deleted: true, deleted_reason: 'My secret' })
    .eq('id', id)
    .throwOnError()
  expect(await changeFor(theo, id)).toMatchObject({ is_removed: false, deleted_reason: null })
  await call(maya, 'restore_message', { message_id: id })
  const { data } = await theo.client
    .from('chat_messages')
    .select('message, deleted_reason')
    .eq('id', id)
  expect(data).toEqual([{ message: 'Mine', deleted_reason: null }])
})

test('what a server restores does not show the reason either', async () => {
  const id = await send(maya, 'Back again', chatId)
  await remove(ada, id)
  await team.sql('update public.chat_messages set is_deleted = false where id = $1', [id])
  const { data } = await theo.client.from('chat_messages').select('deleted_reason').eq('id', id)
  expect(data).toEqual([{ deleted_reason: null }])
})

test('the archive keeps the reason, and the audit log that it happened', async () => {
  const id = await send(maya, 'Kept', chatId)
  await remove(ada, id)
  expect((await recordsOf(team, id)).at(-1)).toMatchObject({
    kind: 'message.removed',
    actor_id: ada.id,
    content: { text: 'Kept', reason: REASON },
  })
  const { data } = await call<{ object_id: string }[]>(grace, 'audit_entries')
  expect(data?.some(({ object_id }) => object_id === id)).toBe(true)
})

test('removing takes a reason, an admin and a chat of theirs; twice is once', async () => {
  const id = await send(maya, 'Again', chatId)
  expect((await remove(theo, id)).error?.code).toBe('42501')
  expect((await remove(ada, id, '  ')).error?.message).toBe(
    "Give a reason for removing a member's message",
  )
  const foreign = await send(maya, 'Elsewhere', await aGroup(maya, [theo]))
  expect((await remove(ada, foreign)).error?.code).toBe('PT404')
  const taps = await Promise.all([remove(ada, id), remove(ada, id), remove(grace, id, 'Another')])
  expect(taps.map(({ error }) => error)).toEqual([null, null, null])
  const removals = (await recordsOf(team, id)).filter(({ kind }) => kind === 'message.removed')
  expect(removals).toHaveLength(1)
})
