import { afterEach, beforeEach, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ann: Person
let bea: Person
let admin: Person
let squad = ''
beforeEach(async () => {
  team = await aTeam()
  ann = await team.aMember({ firstName: 'Ann' })
  bea = await team.aMember({ firstName: 'Bea' })
  admin = await team.aMember({ isAdmin: true })
  const created = await call<string>(ann, 'create_chat', {
    member_ids: [bea.id, admin.id],
    name: 'Squad',
    first_message: 'Hi',
  })
  squad = created.data ?? ''
})
afterEach(() => team?.close())

const TOO_LATE = { message: 'It is too late to undo this' }

async function aMessage(by: Person): Promise<string> {
  const row = { chat_id: squad, sender_id: by.id, message: 'On second thought' }
  const { data, error } = await by.client
    .from('chat_messages')
    .insert(row)
    .select('id')
    .single<{ id: string }>()
  if (error) throw error
  return data.id
}

async function remove(by: Person, id: string, reason?: string) {
  const { error } = await by.client
    .from('chat_messages')
    .update({ is_deleted: true, ...(reason && { deleted_reason: reason }) })
    .eq('id', id)
  if (error) throw error
}

async function endParticipation(by: Person, whose: Person) {
  const { error } = await by.client
    .from('chat_participants')
    .update({ is_active: false })
    .eq('chat_id', squad)
    .eq('user_id', whose.id)
  if (error) throw error
}

const textFor = async (person: Person, id: string) =>
  (await person.client.from('chat_messages').select('message').eq('id', id)).data

test('a sender takes their own deletion back, and everybody reads the message again', async () => {
  const id = await aMessage(bea)
  await remove(bea, id)
  expect(await textFor(ann, id)).toEqual([])
  expect((await call(ann, 'restore_message', { message_id: id })).error).toMatchObject(TOO_LATE)
  expect((await call(bea, 'restore_message', { message_id: id })).error).toBeNull()
  expect(await textFor(ann, id)).toEqual([{ message: 'On second thought' }])
})

test('what an admin removed, and what was deleted a while ago, stays deleted', async () => {
  const removed = await aMessage(bea)
  await remove(admin, removed, 'Names a customer')
  for (const person of [bea, admin])
    expect((await call(person, 'restore_message', { message_id: removed })).error).toMatchObject(
      TOO_LATE,
    )
  const old = await aMessage(bea)
  await remove(bea, old)
  await team.sql('alter table public.chat_messages disable trigger user')
  await team.sql("update public.chat_messages set changed_at = now() - interval '2 minutes'")
  await team.sql('alter table public.chat_messages enable trigger user')
  expect((await call(bea, 'restore_message', { message_id: old })).error).toMatchObject(TOO_LATE)
})

test('a member takes their own leaving back, with nothing unread', async () => {
  await endParticipation(bea, bea)
  expect((await call(bea, 'chat_departure', { chat_id: squad })).data).toEqual([
    { title: 'Squad', was_removed: false },
  ])
  expect((await call(bea, 'rejoin_chat', { chat_id: squad })).error).toBeNull()
  expect((await call(bea, 'chat_departure', { chat_id: squad })).data).toEqual([])
  const { data } = await call<{ chat_id: string; unread_count: number }[]>(bea, 'chat_list')
  expect(data?.find((chat) => chat.chat_id === squad)).toMatchObject({ unread_count: 0 })
})

test('a removed member learns of it, and cannot come back on their own', async () => {
  await endParticipation(ann, bea)
  expect((await call(bea, 'chat_departure', { chat_id: squad })).data).toEqual([
    { title: 'Squad', was_removed: true },
  ])
  expect((await call(bea, 'rejoin_chat', { chat_id: squad })).error).toMatchObject(TOO_LATE)
  const outsider = await team.aMember()
  expect((await call(outsider, 'chat_departure', { chat_id: squad })).data).toEqual([])
  expect((await call(outsider, 'rejoin_chat', { chat_id: squad })).error).toMatchObject(TOO_LATE)
})

test('a removed member learns what the group was called, not what it is called since', async () => {
  await endParticipation(ann, bea)
  await team.sql("update public.chats set name = 'Squad without Bea' where id = $1", [squad])
  expect((await call(bea, 'chat_departure', { chat_id: squad })).data).toEqual([
    { title: 'Squad', was_removed: true },
  ])
})

test('a member who is removed just after leaving does not come back on their own', async () => {
  await endParticipation(bea, bea)
  await endParticipation(ann, bea)
  expect((await call(bea, 'chat_departure', { chat_id: squad })).data).toEqual([
    { title: 'Squad', was_removed: true },
  ])
  expect((await call(bea, 'rejoin_chat', { chat_id: squad })).error).toMatchObject(TOO_LATE)
})

test('after a minute, leaving is final', async () => {
  await endParticipation(bea, bea)
  await team.sql(
    "update private.chat_participants set left_at = now() - interval '2 minutes' where not is_active",
  )
  expect((await call(bea, 'rejoin_chat', { chat_id: squad })).error).toMatchObject(TOO_LATE)
})

test('the mandatory chat can be muted, not hidden or archived', async () => {
  for (const list of ['hidden_chats', 'archived_chats']) {
    const { error } = await bea.client
      .from('users')
      .update({ [list]: [team.mandatoryChatId] })
      .eq('id', bea.id)
    expect(error?.message).toBe('The mandatory chat cannot be hidden or archived')
  }
  const muted = await bea.client
    .from('chat_participants')
    .update({ muted_until: 'infinity' })
    .eq('chat_id', team.mandatoryChatId)
    .eq('user_id', bea.id)
  expect(muted.error).toBeNull()
})

test('hidden chats are listed on request only', async () => {
  await bea.client
    .from('users')
    .update({ hidden_chats: [squad] })
    .eq('id', bea.id)
  const listed = async (args = {}) =>
    (await call<{ chat_id: string; is_hidden: boolean }[]>(bea, 'chat_list', args)).data
      ?.filter((chat) => chat.chat_id === squad)
      .map((chat) => chat.is_hidden)
  expect(await listed()).toEqual([])
  expect(await listed({ with_hidden: true })).toEqual([true])
})
