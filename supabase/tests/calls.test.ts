// Every call of product.md P140, as a Supabase client makes it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anItem, CONTENT } from './rights-cases-content.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let admin: Person
let ann: Person
let bea: Person
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ isAdmin: true, firstName: 'Dana' })
})
afterAll(() => team?.close())
beforeEach(async () => {
  ann = await team.aMember({ firstName: 'Ann' })
  bea = await team.aMember({ firstName: 'Bea', lastName: 'Roe' })
})

describe('users', () => {
  test('all fields of the own row', async () => {
    const { data } = await ann.client.from('users').select('*').eq('id', ann.id).single<object>()
    expect(Object.keys(data as object)).toEqual([
      ...[
        'id',
        'email',
        'first_name',
        'last_name',
        'role',
        'created_at',
        'push_token',
        'rally_enabled',
      ],
      ...[
        'can_create_chats',
        'can_send_messages',
        'hidden_chats',
        'archived_chats',
        'is_active',
        'status',
        'sponsor_id',
        'can_supervise',
      ],
      ...['phone', 'phone_audience', 'email_audience', 'state', 'about'],
    ])
  })
  test('the push token is stored', async () => {
    const { error } = await ann.client
      .from('users')
      .update({ push_token: 'device' })
      .eq('id', ann.id)
    expect(error).toBeNull()
    const { data } = await ann.client
      .from('users')
      .select('push_token')
      .eq('id', ann.id)
      .single<object>()
    expect(data).toEqual({ push_token: 'device' })
  })
  test('hidden and archived chats are stored as lists', async () => {
    const id = randomUUID()
    const { data, error } = await ann.client
      .from('users')
      .update({ hidden_chats: [id], archived_chats: [] })
      .eq('id', ann.id)
      .select('hidden_chats, archived_chats')
      .single<object>()
    expect(error).toBeNull()
    expect(data).toEqual({ hidden_chats: [id], archived_chats: [] })
  })
  test('names of some members, and of all the others', async () => {
    const some = await ann.client
      .from('users')
      .select('id, first_name, last_name, email')
      .in('id', [bea.id])
    expect(some.data).toEqual([
      { id: bea.id, first_name: 'Bea', last_name: 'Roe', email: bea.email },
    ])
    const others = await ann.client
      .from('users')
      .select('id, first_name, last_name, email')
      .neq('id', ann.id)
    expect(others.data?.map((each) => each.id as string)).toContain(bea.id)
  })
  test('an admin lists everybody by first name and changes one permission', async () => {
    const { data } = await admin.client.from('users').select('*').order('first_name')
    expect(data?.length).toBeGreaterThan(2)
    const changed = await admin.client
      .from('users')
      .update({ can_send_messages: false })
      .eq('id', ann.id)
      .select()
    expect(changed.data).toMatchObject([
      { id: ann.id, can_send_messages: false, can_create_chats: true },
    ])
  })
  test('an admin’s change is not undone by an older copy of the row', async () => {
    await Promise.all([
      admin.client.from('users').update({ can_send_messages: false }).eq('id', ann.id),
      ann.client.from('users').update({ push_token: 'device' }).eq('id', ann.id),
    ])
    const { data } = await ann.client.from('users').select('*').eq('id', ann.id).single<object>()
    expect(data).toMatchObject({ can_send_messages: false, push_token: 'device' })
  })
  test('get_user_count is a number', async () => {
    const { data } = await call(ann, 'get_user_count')
    expect(data).toBeTypeOf('number')
  })
})

test.each(CONTENT)('%s content: insert, list by order, update, soft delete', async (type) => {
  const table = `${type}_content`
  const rows = [2, 1].map((order) => anItem(type, { title: `No ${order}`, sort_order: order }))
  expect((await admin.client.from(table).insert(rows)).error).toBeNull()
  const list = () =>
    ann.client
      .from(table)
      .select('*')
      .eq('is_active', true)
      .order('sort_order')
      .returns<{ id: string; title: string }[]>()
  const { data } = await list()
  expect(data?.map((item) => item.title)).toEqual(['No 1', 'No 2'])
  const [first] = data as { id: string }[]
  await admin.client
    .from(table)
    .update({ ...anItem(type), title: 'Renamed', sort_order: 9 })
    .eq('id', first?.id)
  await admin.client.from(table).update({ is_active: false }).eq('title', 'No 2')
  expect((await list()).data?.map((item) => item.title)).toEqual(['Renamed'])
})

describe('chats', () => {
  async function inThreeSteps(type: 'individual' | 'group', others: Person[], name: string | null) {
    const chat = await ann.client
      .from('chats')
      .insert({ name, type, created_by: ann.id, is_active: true })
      .select()
      .single<{ id: string }>()
    expect(chat.error).toBeNull()
    const id = chat.data?.id ?? ''
    const participants = await ann.client
      .from('chat_participants')
      .insert(
        [ann, ...others].map((person) => ({ chat_id: id, user_id: person.id, is_active: true })),
      )
      .select()
    expect(participants.error).toBeNull()
    expect(participants.data).toHaveLength(others.length + 1)
    const message = await ann.client
      .from('chat_messages')
      .insert({ chat_id: id, sender_id: ann.id, message: 'Hi' })
    expect(message.error).toBeNull()
    return id
  }

  test('a group is created in three plain steps, and everybody in it reads the first message', async () => {
    const id = await inThreeSteps('group', [bea, admin], 'Squad')
    const { data } = await bea.client
      .from('chat_messages')
      .select('*')
      .eq('chat_id', id)
      .eq('is_deleted', false)
      .order('sent_at', { ascending: true })
    expect(data).toMatchObject([{ message: 'Hi', sender_id: ann.id, is_deleted: false }])
  })

  test('the list as the screen requests it', async () => {
    const squad = await inThreeSteps('group', [bea], 'Squad')
    const hidden = await inThreeSteps('individual', [bea], null)
    const { data } = await bea.client
      .from('chats')
      .select('*, chat_participants!inner(user_id, last_read_at)')
      .eq('chat_participants.user_id', bea.id)
      .eq('is_active', true)
      .neq('type', 'mandatory')
      .not('id', 'in', `(${hidden})`)
    expect(data).toMatchObject([
      { id: squad, chat_participants: [{ user_id: bea.id, last_read_at: null }] },
    ])
  })

  test('unread messages are counted until read', async () => {
    const id = await inThreeSteps('group', [bea], 'Squad')
    const unread = (since: string) =>
      bea.client
        .from('chat_messages')
        .select('*', { count: 'exact', head: true })
        .eq('chat_id', id)
        .eq('is_deleted', false)
        .neq('sender_id', bea.id)
        .gt('sent_at', since)
    expect((await unread('-infinity')).count).toBe(1)
    const now = new Date().toISOString()
    await bea.client
      .from('chat_participants')
      .update({ last_read_at: now })
      .match({ chat_id: id, user_id: bea.id })
    const { data } = await bea.client
      .from('chat_participants')
      .select('last_read_at')
      .match({ chat_id: id, user_id: bea.id })
      .single<{ last_read_at: string }>()
    expect((await unread(data?.last_read_at ?? '')).count).toBe(0)
  })

  test('resending a message with the same id stores it once', async () => {
    const row = {
      id: randomUUID(),
      chat_id: team.mandatoryChatId,
      sender_id: ann.id,
      message: 'Once',
    }
    await ann.client.from('chat_messages').insert(row)
    const again = await ann.client.from('chat_messages').insert(row)
    expect(again.error?.code).toBe('23505')
    const quietly = await ann.client.from('chat_messages').upsert(row, { ignoreDuplicates: true })
    expect(quietly.error).toBeNull()
    const { data } = await ann.client.from('chat_messages').select('id').eq('message', 'Once')
    expect(data).toHaveLength(1)
  })

  test('messages stored by one call keep their order', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `No ${index}`)
    await ann.client
      .from('chat_messages')
      .insert(
        texts.map((message) => ({ chat_id: team.mandatoryChatId, sender_id: ann.id, message })),
      )
    const { data } = await ann.client
      .from('chat_messages')
      .select('message')
      .eq('sender_id', ann.id)
      .order('sent_at')
    expect(data?.map((row) => row.message as string)).toEqual(texts)
  })
})
