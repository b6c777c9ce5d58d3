// Attacks on chats with a valid member's token. docs/rights.md has the plain cases; these are the subtle ones.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aScene, type Scene, type Squad } from './rights-scene.ts'
import { aTeam, type Team } from './team.ts'

let team: Team
let scene: Scene
let squad: Squad

beforeAll(async () => {
  team = await aTeam()
  scene = await aScene(team)
  squad = await scene.aSquad()
})
afterAll(() => team?.close())

const REFUSED = '42501'
const CHAT_COLUMNS = { type: 'group', is_active: true }

test('nobody learns when another participant read a chat or how they keep it in their list', async () => {
  const { member, other } = scene.cast
  const own = { chat_id: squad.id, user_id: member.id }
  const now = new Date().toISOString()
  const change = { last_read_at: now, muted_until: 'infinity', mentions_only: true }
  await member.client.rpc('pin_chat', { chat_id: squad.id })
  const written = await member.client.from('chat_participants').update(change).match(own).select()
  const kept: unknown = expect.stringMatching(/^2/)
  expect(written.data).toMatchObject([{ last_read_at: kept, muted_until: 'infinity' }])
  const read = await member.client.from('chat_participants').select('*').match(own)
  expect(read.data).toEqual(written.data)

  const seen = await other.client.from('chat_participants').select('*').match(own)
  const secrets = ['last_read_at', 'muted_until', 'pinned_at', 'is_marked_unread', 'mentions_only']
  const hidden = Object.fromEntries(secrets.map((secret) => [secret, null]))
  expect(seen.data).toMatchObject([{ ...own, ...hidden }])
  for (const secret of secrets) {
    const found = await other.client
      .from('chat_participants')
      .select('user_id')
      .match(own)
      .not(secret, 'is', null)
    expect(found.data).toEqual([])
  }
})

test('removing a participant leaves the columns only they may change', async () => {
  const { creator, member } = scene.cast
  const fresh = await scene.aSquad()
  const place = { chat_id: fresh.id, user_id: member.id }
  await member.client.from('chat_participants').update({ muted_until: 'infinity' }).match(place)
  const participants = () => creator.client.from('chat_participants')
  const out = await participants().update({ is_active: false }).match(place).select()
  expect(out.data).toMatchObject([{ ...place, is_active: false, muted_until: null }])
  for (const trick of [
    { muted_until: '2030-01-01' },
    { last_read_at: '2020-01-01' },
    { mentions_only: true },
  ])
    expect((await participants().update(trick).match(place)).error?.code).toBe(REFUSED)
  expect(
    await team.sql(
      'select is_active, muted_until from private.chat_participants where chat_id = $1 and user_id = $2',
      [place.chat_id, place.user_id],
    ),
  ).toEqual([{ is_active: false, muted_until: Infinity }])
})

test('without the permission, both ways to create a chat are refused', async () => {
  const clerk = await team.aMember({ canCreateChats: false })
  const plain = await clerk.client
    .from('chats')
    .insert({ name: 'X', created_by: clerk.id, ...CHAT_COLUMNS })
  expect(plain.error?.code).toBe(REFUSED)
  const call = await clerk.client.rpc('create_chat', {
    member_ids: [scene.stranger.id],
    name: null,
    first_message: 'Hi',
  })
  expect(call.error).toMatchObject({
    code: REFUSED,
    message: 'You do not have permission to create chats.',
  })
})

test('who may not send messages says nothing by a group’s name, and still may close it', async () => {
  const clerk = await team.aMember()
  const made = await clerk.client
    .from('chats')
    .insert({ name: 'Closers', created_by: clerk.id, ...CHAT_COLUMNS })
    .select('id')
    .single<{ id: string }>()
  await team.sql('update private.members set can_send_messages = false where id = $1', [clerk.id])
  const another = await clerk.client
    .from('chats')
    .insert({ name: 'Read this', created_by: clerk.id, ...CHAT_COLUMNS })
  expect(another.error?.code).toBe(REFUSED)
  const change = (values: object) =>
    clerk.client.from('chats').update(values).eq('id', made.data?.id).select('name, is_active')
  expect((await change({ name: 'Read this' })).error?.code).toBe(REFUSED)
  expect((await change({ name: 'Read this', is_active: false })).error?.code).toBe(REFUSED)
  expect((await change({ is_active: false })).data).toEqual([{ name: 'Closers', is_active: false }])
})

test('nobody is added to a closed group', async () => {
  const { creator } = scene.cast
  const closed = await scene.aSquad()
  const newcomer = await team.aMember()
  await creator.client.from('chats').update({ is_active: false }).eq('id', closed.id)
  const place = { chat_id: closed.id, user_id: newcomer.id }
  expect((await creator.client.from('chat_participants').insert(place)).error?.code).toBe(REFUSED)
  const added = await creator.client.rpc('add_chat_members', {
    chat_id: closed.id,
    member_ids: [newcomer.id],
  })
  expect(added.error?.code).toBe(REFUSED)
  expect((await newcomer.client.from('chats').select('id').eq('id', closed.id)).data).toEqual([])
})

test('the chat a member creates cannot begin closed, mandatory or in the past', async () => {
  const { member } = scene.cast
  for (const trick of [{ is_active: false }, { type: 'mandatory' }, { created_at: '2020-01-01' }]) {
    const { error } = await member.client
      .from('chats')
      .insert({ name: 'X', created_by: member.id, ...CHAT_COLUMNS, ...trick })
    expect(error?.code, JSON.stringify(trick)).toBe(REFUSED)
  }
})

test('a participant cannot be added with the chat already read or muted', async () => {
  const { creator } = scene.cast
  for (const trick of [
    { last_read_at: '2020-01-01' },
    { muted_until: 'infinity' },
    { joined_at: '2020-01-01' },
  ]) {
    const { error } = await creator.client
      .from('chat_participants')
      .insert({ chat_id: squad.id, user_id: scene.stranger.id, ...trick })
    expect(error?.code).toBe(REFUSED)
  }
})

test('an individual chat never has a third participant', async () => {
  const { member, other, outsider } = scene.cast
  const { data: chat } = await member.client
    .from('chats')
    .insert({ type: 'individual', created_by: member.id })
    .select()
    .single<{ id: string }>()
  const place = (userId: string) => ({ chat_id: chat?.id, user_id: userId, is_active: true })
  const three = await member.client
    .from('chat_participants')
    .insert([place(member.id), place(other.id), place(outsider.id)])
  expect(three.error).toMatchObject({ message: 'An individual chat has two participants' })
})

test('a former participant cannot rejoin, not even by an upsert', async () => {
  const { ex } = scene.cast
  const { error } = await ex.client
    .from('chat_participants')
    .upsert({ chat_id: squad.id, user_id: ex.id, is_active: true })
  expect(error).not.toBeNull()
  const place = [squad.id, ex.id]
  expect(
    await team.sql(
      'select is_active from private.chat_participants where chat_id = $1 and user_id = $2',
      place,
    ),
  ).toEqual([{ is_active: false }])
})

test('a creator who left the group has no more rights in it', async () => {
  const fresh = await scene.aSquad()
  const { creator } = scene.cast
  const place = { chat_id: fresh.id, user_id: creator.id }
  await creator.client.from('chat_participants').update({ is_active: false }).match(place)
  const { data: chats } = await creator.client.from('chats').select('id').eq('id', fresh.id)
  expect(chats).toEqual([])
  const back = await creator.client
    .from('chat_participants')
    .update({ is_active: true })
    .match(place)
    .select()
  expect(back.data).toEqual([])
})

test('a message cannot be overwritten by another with the same id', async () => {
  const { other, member } = scene.cast
  const forged = { id: squad.messageId, chat_id: squad.id, sender_id: other.id, message: 'forged' }
  const again = await other.client.from('chat_messages').insert(forged)
  expect(again.error?.code).toBe('23505')
  const over = await other.client.from('chat_messages').upsert(forged)
  expect(over.error).not.toBeNull()
  const { data } = await member.client
    .from('chat_messages')
    .select('message')
    .eq('id', squad.messageId)
  expect(data).toEqual([{ message: 'pineapple' }])
})

test('a member who may no longer send cannot edit an old message either', async () => {
  const silenced = await team.aMember()
  const [message] = await team.sql<{ id: string }>(
    "insert into public.chat_messages (chat_id, sender_id, message) values ($1, $2, 'old') returning id",
    [team.mandatoryChatId, silenced.id],
  )
  await team.sql('update private.members set can_send_messages = false where id = $1', [
    silenced.id,
  ])
  const edited = await silenced.client
    .from('chat_messages')
    .update({ message: 'new' })
    .eq('id', message?.id)
    .select()
  expect(edited.error?.code).toBe(REFUSED)
  const deleted = await silenced.client
    .from('chat_messages')
    .update({ is_deleted: true })
    .eq('id', message?.id)
    .select()
  expect(deleted.data).toHaveLength(1)
})

test('a read mark in the future does not cover later messages', async () => {
  const { member } = scene.cast
  await member.client
    .from('chat_participants')
    .update({ last_read_at: '2099-01-01T00:00:00Z' })
    .eq('chat_id', squad.id)
    .eq('user_id', member.id)
  const [place] = await team.sql(
    'select last_read_at <= now() as sane from private.chat_participants where chat_id = $1 and user_id = $2',
    [squad.id, member.id],
  )
  expect(place).toEqual({ sane: true })
})
