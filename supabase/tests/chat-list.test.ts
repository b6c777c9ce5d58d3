import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ann: Person
let bea: Person
let cal: Person
beforeEach(async () => {
  team = await aTeam()
  ann = await team.aMember({ firstName: 'Ann', lastName: 'Lee' })
  bea = await team.aMember({ firstName: 'Bea', lastName: 'Roe' })
  cal = await team.aMember({ firstName: 'Cal' })
})
afterEach(() => team?.close())

type ListedChat = {
  chat_id: string
  title: string
  unread_count: number
  is_archived: boolean
  last_message: string | null
  last_sender_name: string | null
  other_user_id: string | null
  member_count: number
}

async function listOf(person: Person): Promise<ListedChat[]> {
  const { data, error } = await call<ListedChat[]>(person, 'chat_list')
  if (error) throw error
  return data ?? []
}

async function create(
  by: Person,
  others: Person[],
  message = 'Hi',
  some: object = {},
): Promise<string> {
  const { data, error } = await call<string>(by, 'create_chat', {
    member_ids: others.map((person) => person.id),
    name: others.length > 1 ? 'Squad' : null,
    first_message: message,
    ...some,
  })
  if (error) throw error
  return data ?? ''
}

const send = (person: Person, chatId: string, message = 'Hello') =>
  person.client.from('chat_messages').insert({ chat_id: chatId, sender_id: person.id, message })

describe('chat_list', () => {
  test('an individual chat has the other person’s name, a group its own', async () => {
    const chatId = await create(ann, [bea])
    await create(ann, [bea, cal])
    const list = await listOf(bea)
    expect(list.find((chat) => chat.chat_id === chatId)).toMatchObject({
      title: 'Ann Lee',
      other_user_id: ann.id,
      member_count: 2,
      unread_count: 1,
      last_message: 'Hi',
      last_sender_name: 'Ann Lee',
    })
    expect(list.map((chat) => chat.title).sort()).toEqual(['Ann Lee', 'Rally Chat', 'Squad'])
    expect((await listOf(ann)).find((chat) => chat.chat_id === chatId)).toMatchObject({
      title: 'Bea Roe',
      unread_count: 0,
    })
  })

  test('the mandatory chat comes first, then unread ones, then by latest message', async () => {
    const old = await create(ann, [bea], 'first')
    const read = await create(ann, [bea, cal], 'second')
    const unread = await create(cal, [ann], 'third')
    await send(ann, read, 'fourth')
    expect((await listOf(ann)).map((chat) => chat.chat_id)).toEqual([
      team.mandatoryChatId,
      unread,
      read,
      old,
    ])
  })

  test('own and deleted messages are not unread, and the count stops at 100', async () => {
    const chatId = await create(ann, [bea])
    await send(bea, chatId)
    await team.sql(
      `insert into public.chat_messages (chat_id, sender_id, message, is_deleted)
       select $1, $2, 'more', n > 150 from generate_series(1, 200) n`,
      [chatId, ann.id],
    )
    const entry = (await listOf(bea)).find((chat) => chat.chat_id === chatId)
    expect(entry).toMatchObject({ unread_count: 100, last_message: 'more' })
    await bea.client.rpc('mark_chat_read', { chat_id: chatId })
    expect((await listOf(bea)).find((chat) => chat.chat_id === chatId)?.unread_count).toBe(0)
    await send(ann, chatId)
    expect((await listOf(bea)).find((chat) => chat.chat_id === chatId)?.unread_count).toBe(1)
  })

  test('a mark that comes late leaves unread what was said after it, and none goes back or ahead', async () => {
    const chatId = await create(ann, [bea])
    const unread = async () =>
      (await listOf(bea)).find((chat) => chat.chat_id === chatId)?.unread_count
    await send(ann, chatId)
    const { data } = await bea.client
      .from('chat_messages')
      .select('sent_at')
      .eq('chat_id', chatId)
      .order('sent_at', { ascending: false })
      .limit(1)
      .single<{ sent_at: string }>()
    await send(ann, chatId)
    const markUntil = (moment?: string) =>
      bea.client.rpc('mark_chat_read', { chat_id: chatId, read_until: moment })
    await markUntil(data?.sent_at)
    expect(await unread()).toBe(1)
    await markUntil()
    await markUntil(data?.sent_at)
    expect(await unread()).toBe(0)
    await markUntil('2999-01-01')
    await send(ann, chatId)
    expect(await unread()).toBe(1)
  })

  test('a hidden chat is left out, an archived one is marked until something new is said', async () => {
    const [hidden, archived] = [await create(ann, [bea]), await create(ann, [cal])]
    await ann.client
      .from('users')
      .update({ hidden_chats: [hidden], archived_chats: [archived] })
      .eq('id', ann.id)
    const list = await listOf(ann)
    expect(list.map((chat) => [chat.chat_id, chat.is_archived])).toEqual([
      [team.mandatoryChatId, false],
      [archived, true],
    ])
    await send(cal, archived)
    expect((await listOf(ann)).find((chat) => chat.chat_id === archived)?.is_archived).toBe(false)
  })

  test('rally_enabled = false takes the mandatory chat away', async () => {
    await team.sql('update private.members set rally_enabled = false where id = $1', [ann.id])
    expect(await listOf(ann)).toEqual([])
  })
})

describe('create_chat', () => {
  test('the individual chat of two people is found again from both sides, and is back on the list', async () => {
    const chatId = await create(ann, [bea])
    await bea.client
      .from('users')
      .update({ hidden_chats: [chatId] })
      .eq('id', bea.id)
    expect(await create(bea, [ann], 'Hi again')).toBe(chatId)
    expect((await listOf(bea)).map((chat) => chat.last_message)).toContain('Hi again')
  })

  test('two people who write to each other for the first time at the same moment share one chat', async () => {
    const [one, two] = await Promise.all([create(ann, [bea]), create(bea, [ann])])
    expect(one).toBe(two)
  })

  test('the same request sent again makes one chat and one message', async () => {
    const some = { message_id: randomUUID() }
    const chatId = await create(ann, [bea, cal], 'Hi', some)
    expect(await create(ann, [bea, cal], 'Hi', some)).toBe(chatId)
    const { data } = await bea.client.from('chat_messages').select('id').eq('chat_id', chatId)
    expect(data).toEqual([{ id: some.message_id }])
  })

  test('who may not create chats can still write in the chat they have', async () => {
    const chatId = await create(ann, [bea])
    await team.sql('update private.members set can_create_chats = false where id = $1', [ann.id])
    expect(await create(ann, [bea])).toBe(chatId)
    await expect(create(ann, [cal])).rejects.toMatchObject({
      message: 'You do not have permission to create chats.',
    })
  })

  test('nothing is left behind when the first message is refused', async () => {
    await expect(create(ann, [bea, cal], 'x'.repeat(4001))).rejects.toMatchObject({ code: '23514' })
    expect(await listOf(ann)).toHaveLength(1)
  })
})
