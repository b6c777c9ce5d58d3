// How a supervisor reads foreign chats: with a reason, recorded, for an hour, and in every version.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aGroup, recordsOf, send } from './archive-records.ts'
import { noSample, said } from './review-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let sue: Person
let ada: Person
let mel: Person
let rep: Person
let chat: string
beforeAll(async () => {
  team = await aTeam()
  await noSample(team)
  ada = await team.aMember({ isAdmin: true })
  sue = await team.aMember({ firstName: 'Sue', canSupervise: true })
  mel = await team.aMember({ firstName: 'Mel' })
  rep = await team.aMember()
})
afterAll(() => team?.close())
beforeEach(async () => {
  chat = await aGroup(mel, [rep, await team.aMember()])
})

type Shown = {
  seq: number
  words: string
  message_id: string
  changes: { kind: string; text?: string; reason?: string }[]
}
const look = (by: Person, reason = 'Complaint of a client', look_id: string = randomUUID()) =>
  call<string>(by, 'look_at_chat', { chat_id: chat, reason, look_id })
const messages = (by: Person, look_id: string | null, options: object = {}) =>
  call<Shown[]>(by, 'look_messages', { look_id, ...options })

test('a look needs a reason and is recorded in the archive and the audit log, once', async () => {
  expect((await look(sue, '  ')).error?.message).toContain('Give a reason for the look')
  expect((await look(sue, 'x'.repeat(501))).error?.message).toContain(
    'Reason is at most 500 characters',
  )
  const id = randomUUID()
  expect((await look(sue, 'Complaint', id)).data).toBe(id)
  expect((await look(sue, 'Complaint', id)).data).toBe(id)
  expect(await recordsOf(team, id)).toMatchObject([
    { kind: 'look.made', actor_id: sue.id, chat_id: chat, content: { reason: 'Complaint' } },
  ])
  const entries = await team.sql(
    "select actor_id, details from private.audit_log where kind = 'supervision' and object_id = $1",
    [chat],
  )
  expect(entries).toEqual([{ actor_id: sue.id, details: { reason: 'Complaint' } }])
})

test('it shows all versions, deleted and erased messages, and who removed what', async () => {
  const [edited, deleted, erased] = [
    await send(mel, 'Guaranteed 12 % returns!', chat),
    await send(mel, 'Delete me', chat),
    await send(mel, 'Erase me', chat),
  ]
  await mel.client.from('chat_messages').update({ message: 'Hello' }).eq('id', edited)
  await mel.client
    .from('chat_messages')
    .update({ is_deleted: true, deleted_reason: 'Typo' })
    .eq('id', deleted)
  await team.sql('delete from public.chat_messages where id = $1', [erased])
  const { data } = await messages(sue, (await look(sue)).data)
  const shown = (id: string) => data?.find((message) => message.message_id === id)
  expect(shown(edited)).toMatchObject({
    words: 'Guaranteed 12 % returns!',
    changes: [{ kind: 'message.edited', text: 'Hello' }],
  })
  expect(shown(deleted)).toMatchObject({
    changes: [{ kind: 'message.deleted', text: 'Delete me', reason: 'Typo' }],
  })
  expect(shown(erased)).toMatchObject({ changes: [{ kind: 'message.erased' }] })
})

test('a look is one supervisor’s and ends after an hour', async () => {
  const other = await team.aMember({ canSupervise: true })
  const id = (await look(sue)).data
  expect((await messages(other, id)).error?.message).toBe('There is no such look')
  await team.sql('alter table private.looks disable trigger keep_looks')
  await team.sql(
    "update private.looks set expires_at = now() - interval '1 second' where id = $1",
    [id],
  )
  await team.sql('alter table private.looks enable trigger keep_looks')
  expect((await messages(sue, id)).error).toMatchObject({
    code: 'PT410',
    message: 'The hour is over; give a reason again',
  })
})

test('admins without the permission read no foreign chat, and a supervisor who lost it none either', async () => {
  expect((await look(ada)).error?.message).toBe('Only supervisors see this')
  const former = await team.aMember({ canSupervise: true })
  const id = (await look(former)).data
  await team.sql('update private.members set can_supervise = false where id = $1', [former.id])
  expect((await messages(former, id)).error?.message).toBe('Only supervisors see this')
})

test('a look opens no table: the chat stays out of reach', async () => {
  await look(sue)
  for (const table of ['chat_messages', 'chats', 'chat_participants']) {
    const column = table === 'chats' ? 'id' : 'chat_id'
    expect((await sue.client.from(table).select('*').eq(column, chat)).data).toEqual([])
  }
})

test('pages have no gaps', async () => {
  for (let count = 0; count < 6; count++) await send(mel, `No ${count}`, chat)
  const id = (await look(sue)).data
  const first = (await messages(sue, id, { max_results: 4 })).data ?? []
  const next =
    (await messages(sue, id, { max_results: 4, before_seq: first.at(-1)?.seq })).data ?? []
  expect([...first, ...next].map((message) => message.words)).toEqual([
    'No 5',
    'No 4',
    'No 3',
    'No 2',
    'No 1',
    'No 0',
    'Welcome',
  ])
})

test('an item of the queue is the reason for a look at what was said around it', async () => {
  for (let count = 0; count < 30; count++) await send(rep, `Before ${count}`, chat)
  const [item] = await said(team, mel, 'Guaranteed returns', chat)
  const open = () => call<string>(sue, 'open_review_item', { item_id: item?.id })
  const id = (await open()).data
  expect((await open()).data).toBe(id)
  const shown = (await messages(sue, id)).data ?? []
  expect(shown).toHaveLength(21)
  expect(shown[0]?.words).toBe('Guaranteed returns')
  expect(await recordsOf(team, id ?? '')).toMatchObject([
    { kind: 'look.made', content: { item: item?.id } },
  ])
})

test('a look around a message shows twenty before and after it, and nothing else', async () => {
  const ids: string[] = []
  for (let at = 0; at < 50; at++) ids.push(await send(mel, `Number ${at}`, chat))
  const look_id = randomUUID()
  const around = { chat_id: chat, reason: 'Complaint', look_id, message_id: ids[25] }
  for (let press = 0; press < 2; press++)
    expect((await call(sue, 'look_at_chat', around)).data).toBe(look_id)
  const { data } = await messages(sue, look_id)
  expect(data?.map(({ message_id }) => message_id)).toEqual(ids.slice(5, 46).toReversed())
  expect(await recordsOf(team, look_id)).toMatchObject([{ kind: 'look.made', chat_id: chat }])
})

test('a look around a message that is not in the chat shows the chat', async () => {
  await send(mel, 'Here', chat)
  const elsewhere = await send(mel, 'There', await aGroup(mel, [rep, await team.aMember()]))
  const { data: look_id } = await call<string>(sue, 'look_at_chat', {
    chat_id: chat,
    reason: 'Complaint',
    message_id: elsewhere,
  })
  const { data } = await messages(sue, look_id)
  expect(data?.map(({ words }) => words)).toEqual(['Here', 'Welcome'])
})

test('supervisors find chats by their name and by who is in them', async () => {
  const other = await team.aMember({ firstName: 'Quincy', lastName: 'Zuñiga' })
  await call(mel, 'create_chat', { member_ids: [other.id], name: null, first_message: 'Hi' })
  const find = async (query: string) =>
    ((await call<{ title: string; type: string }[]>(sue, 'find_chats', { query })).data ?? []).map(
      ({ type, title }) => `${type}: ${title}`,
    )
  expect(await find('closers')).toContain('group: Closers')
  expect((await find('zuniga')).some((found) => found.includes('Quincy Zuñiga'))).toBe(true)
  await aGroup(mel, [other, rep], 'Night Owls')
  expect(await find('zuniga')).toContain('group: Night Owls')
  await aGroup(mel, [rep, await team.aMember()], 'Zuniga Watch')
  expect((await find('zuniga'))[0]).toBe('group: Zuniga Watch')
})
