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
  other_email: string | null
  other_is_admin: boolean
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
      other_email: ann.email,
      other_is_admin: false,
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

  test('a late read mark leaves newer messages unread, and no mark moves back or into the future', async () => {
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

  test('what was said before somebody joined is read, and they are not among those who saw it', async () => {
    await send(ann, team.mandatoryChatId, 'Before Dee joined')
    const squad = await create(ann, [bea, cal], 'Before Dee was added')
    const dee = await team.aMember({ firstName: 'Dee' })
    await ann.client.rpc('add_chat_members', { chat_id: squad, member_ids: [dee.id] })
    const unread = async () => (await listOf(dee)).map((chat) => chat.unread_count)
    expect(await unread()).toEqual([0, 0])

    const { data } = await bea.client
      .from('chat_messages')
      .select('id')
      .eq('chat_id', squad)
      .single()
    await bea.client.rpc('mark_chat_read', { chat_id: squad })
    const seenBy = await call<{ id: string }[]>(ann, 'message_seen_by', {
      message_id: (data as { id: string }).id,
    })
    expect(seenBy.data?.map(({ id }) => id)).toEqual([bea.id])

    for (const chatId of [team.mandatoryChatId, squad]) await send(ann, chatId, 'Welcome, Dee')
    expect(await unread()).toEqual([1, 1])
  })

  test('who comes back to a group has nothing unread from the time away', async () => {
    const squad = await create(ann, [bea, cal])
    await bea.client.rpc('mark_chat_read', { chat_id: squad })
    const isIn = (is_active: boolean) =>
      ann.client
        .from('chat_participants')
        .update({ is_active })
        .eq('chat_id', squad)
        .eq('user_id', bea.id)
    await isIn(false)
    await send(ann, squad, 'While Bea was away')
    await isIn(true)
    expect((await listOf(bea)).find((chat) => chat.chat_id === squad)?.unread_count).toBe(0)
  })

  test('a hidden chat is left out, an archived one is marked until a new message arrives', async () => {
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

  test('rally_enabled = false hides the mandatory chat', async () => {
    await team.sql('update private.members set rally_enabled = false where id = $1', [ann.id])
    expect(await listOf(ann)).toEqual([])
  })
})

describe('create_chat', () => {
  test('either of two people finds their individual chat again, back on the list', async () => {
    const chatId = await create(ann, [bea])
    await bea.client
      .from('users')
      .update({ hidden_chats: [chatId] })
      .eq('id', bea.id)
    expect(await create(bea, [ann], 'Hi again')).toBe(chatId)
    expect((await listOf(bea)).map((chat) => chat.last_message)).toContain('Hi again')
  })

  test('two people who start a chat with each other concurrently share one', async () => {
    const [one, two] = await Promise.all([create(ann, [bea]), create(bea, [ann])])
    expect(one).toBe(two)
  })

  test('a repeated request creates one chat and one message', async () => {
    const some = { message_id: randomUUID() }
    const chatId = await create(ann, [bea, cal], 'Hi', some)
    expect(await create(ann, [bea, cal], 'Hi', some)).toBe(chatId)
    const { data } = await bea.client.from('chat_messages').select('id').eq('chat_id', chatId)
    expect(data).toEqual([{ id: some.message_id }])
  })

  test('a group that is requested twice at once is created once', async () => {
    const some = { message_id: randomUUID() }
    const all = await Promise.all([1, 2, 3].map(() => create(ann, [bea, cal], 'Hi', some)))
    expect(new Set(all).size).toBe(1)
    expect((await listOf(bea)).filter((chat) => chat.title === 'Squad')).toHaveLength(1)
  })

  test('members who may not create chats can still write in existing ones', async () => {
    const chatId = await create(ann, [bea])
    await team.sql('update private.members set can_create_chats = false where id = $1', [ann.id])
    expect(await create(ann, [bea])).toBe(chatId)
    await expect(create(ann, [cal])).rejects.toMatchObject({
      message: 'You do not have permission to create chats.',
    })
  })

  test('nothing is stored when the first message is refused', async () => {
    await expect(create(ann, [bea, cal], 'x'.repeat(4001))).rejects.toMatchObject({ code: '23514' })
    expect(await listOf(ann)).toHaveLength(1)
  })
})
