import { afterEach, beforeEach, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ann: Person
let bea: Person
beforeEach(async () => {
  team = await aTeam()
  ann = await team.aMember({ firstName: 'Ann' })
  bea = await team.aMember({ firstName: 'Bea' })
})
afterEach(() => team?.close())

type Listed = { chat_id: string; title: string; is_pinned: boolean; is_archived: boolean }

async function listOf(person: Person): Promise<Listed[]> {
  const { data, error } = await call<Listed[]>(person, 'chat_list')
  if (error) throw error
  return data ?? []
}
const titlesOf = async (person: Person) => (await listOf(person)).map(({ title }) => title)
const pinnedOf = async (person: Person) =>
  (await listOf(person)).filter((chat) => chat.is_pinned).map(({ title }) => title)

/** A group of the two; the last one made has the latest message. */
async function aGroup(name: string): Promise<string> {
  const cal = await team.aMember()
  const { data, error } = await call<string>(bea, 'create_chat', {
    member_ids: [ann.id, cal.id],
    name,
    first_message: 'Hi',
  })
  if (error) throw error
  return data ?? ''
}
const pin = (person: Person, chat_id: string, is_pinned = true) =>
  call(person, 'pin_chat', { chat_id, is_pinned })
const readAll = (chats: string[]) =>
  Promise.all(chats.map((chat_id) => call(ann, 'mark_chat_read', { chat_id })))
const putAway = (list: 'hidden_chats' | 'archived_chats', chats: string[]) =>
  ann.client
    .from('users')
    .update({ [list]: chats })
    .eq('id', ann.id)

test('pinned chats come after the mandatory one and before unread ones, by the same order', async () => {
  const [one, two, three] = [await aGroup('One'), await aGroup('Two'), await aGroup('Three')]
  await readAll([one, two])
  expect(await titlesOf(ann)).toEqual(['Rally Chat', 'Three', 'Two', 'One'])
  for (const chat of [two, one]) expect((await pin(ann, chat)).error).toBeNull()
  expect(await titlesOf(ann)).toEqual(['Rally Chat', 'Two', 'One', 'Three'])
  await bea.client
    .from('chat_messages')
    .insert({ chat_id: one, sender_id: bea.id, message: 'News' })
  expect(await titlesOf(ann)).toEqual(['Rally Chat', 'One', 'Two', 'Three'])
  await pin(ann, one, false)
  expect(await titlesOf(ann)).toEqual(['Rally Chat', 'Two', 'One', 'Three'])
  expect(await pinnedOf(bea)).toEqual([])
  expect((await pin(ann, three, false)).error).toBeNull()
})

test('five chats can be pinned, also by two devices at once', async () => {
  const chats = []
  for (let n = 1; n <= 7; n++) chats.push(await aGroup(`Group ${n}`))
  for (const chat of chats.slice(0, 4)) await pin(ann, chat)
  const results = await Promise.all(chats.slice(4).map((chat) => pin(ann, chat)))
  const refused = results.filter(({ error }) => error)
  expect(refused).toHaveLength(2)
  expect(refused[0]?.error?.message).toBe('At most 5 chats can be pinned; unpin another one first')
  expect(await pinnedOf(ann)).toHaveLength(5)
  expect((await pin(ann, chats[0]!)).error).toBeNull()
})

test('a closed group and a chat with somebody who is blocked take no place among the five', async () => {
  const chats = []
  for (let n = 1; n <= 6; n++) chats.push(await aGroup(`Group ${n}`))
  const pair = await call<string>(ann, 'create_chat', {
    member_ids: [bea.id],
    name: null,
    first_message: 'Hi',
  })
  for (const chat of [...chats.slice(0, 4), pair.data ?? '']) await pin(ann, chat)
  expect((await pin(ann, chats[4]!)).error).not.toBeNull()
  await call(ann, 'block_member', { member_id: bea.id })
  expect((await pin(ann, chats[4]!)).error).toBeNull()
  await bea.client.from('chats').update({ is_active: false }).eq('id', chats[0])
  expect((await pin(ann, chats[5]!)).error).toBeNull()
})

test('the mandatory chat and somebody else’s chats cannot be pinned', async () => {
  expect((await pin(ann, team.mandatoryChatId)).error?.message).toBe(
    'The mandatory chat is always at the top',
  )
  const chat = await aGroup('Theirs')
  const outsider = await team.aMember()
  expect((await pin(outsider, chat)).error?.code).toBe('42501')
})

test.each(['hidden_chats', 'archived_chats'] as const)(
  'a chat among the %s is not pinned and takes no place among the five',
  async (list) => {
    const chat = await aGroup('Put away')
    await pin(ann, chat)
    await putAway(list, [chat])
    expect((await pin(ann, chat)).error?.message).toBe('A hidden or archived chat cannot be pinned')
    await putAway(list, [])
    expect(await pinnedOf(ann)).toEqual([])
  },
)

test('who leaves a group and comes back finds it unpinned and not marked', async () => {
  const chat = await aGroup('Left')
  await pin(ann, chat)
  await call(ann, 'mark_chat_unread', { chat_id: chat })
  await ann.client
    .from('chat_participants')
    .update({ is_active: false })
    .match({ chat_id: chat, user_id: ann.id })
  await call(ann, 'rejoin_chat', { chat_id: chat })
  const listed = (await listOf(ann)).find(({ chat_id }) => chat_id === chat)
  expect(listed).toMatchObject({ is_pinned: false, is_marked_unread: false })
})
