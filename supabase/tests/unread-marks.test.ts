// A chat that a member marked as unread, to come back to it.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ann: Person
let bea: Person
let chatId: string
beforeEach(async () => {
  team = await aTeam()
  ann = await team.aMember({ firstName: 'Ann', rallyEnabled: false })
  bea = await team.aMember({ firstName: 'Bea' })
  const { data, error } = await call<string>(ann, 'create_chat', {
    member_ids: [bea.id],
    name: null,
    first_message: 'Hi',
  })
  if (error) throw error
  chatId = data ?? ''
  await call(bea, 'mark_chat_read', { chat_id: chatId })
})
afterEach(() => team?.close())

const mark = (person: Person) => call(person, 'mark_chat_unread', { chat_id: chatId })
const isMarked = async (person: Person) =>
  (await call<{ chat_id: string; is_marked_unread: boolean }[]>(person, 'chat_list')).data?.find(
    (chat) => chat.chat_id === chatId,
  )?.is_marked_unread

test('a chat marked as unread stays so until it is opened, for its owner alone', async () => {
  expect((await mark(bea)).error).toBeNull()
  expect([await isMarked(bea), await isMarked(ann)]).toEqual([true, false])
  const { data } = await bea.client.from('chat_messages').select('id').eq('chat_id', chatId)
  const seenBy = await call<{ id: string }[]>(ann, 'message_seen_by', {
    message_id: (data as { id: string }[])[0]?.id,
  })
  expect(seenBy.data?.map(({ id }) => id)).toEqual([bea.id])
  await call(bea, 'mark_chat_read', { chat_id: chatId })
  expect(await isMarked(bea)).toBe(false)
})

test('it is opened also when it is read up to an earlier message, or by writing last_read_at', async () => {
  await mark(bea)
  await call(bea, 'mark_chat_read', { chat_id: chatId, read_until: '2020-01-01' })
  expect(await isMarked(bea)).toBe(false)
  await mark(bea)
  await bea.client
    .from('chat_participants')
    .update({ last_read_at: new Date().toISOString() })
    .match({ chat_id: chatId, user_id: bea.id })
  expect(await isMarked(bea)).toBe(false)
})

test('it comes before chats that are read, and counts as one on the icon unless muted', async () => {
  const cal = await team.aMember()
  const newer = await call<string>(cal, 'create_chat', {
    member_ids: [ann.id],
    name: null,
    first_message: 'Newer',
  })
  await call(ann, 'mark_chat_read', { chat_id: newer.data })
  const order = async () =>
    (await call<{ chat_id: string }[]>(ann, 'chat_list')).data?.map(({ chat_id }) => chat_id)
  const badge = async () =>
    (await team.sql<{ badge: number }>('select private.unread_badge($1) as badge', [ann.id]))[0]
      ?.badge
  expect([await order(), await badge()]).toEqual([[newer.data, chatId], 0])
  await mark(ann)
  expect([await order(), await badge()]).toEqual([[chatId, newer.data], 1])
  await bea.client
    .from('chat_messages')
    .insert({ chat_id: chatId, sender_id: bea.id, message: 'One' })
  expect(await badge()).toBe(1)
  await ann.client
    .from('chat_participants')
    .update({ muted_until: 'infinity' })
    .match({ chat_id: chatId, user_id: ann.id })
  expect(await badge()).toBe(0)
})
