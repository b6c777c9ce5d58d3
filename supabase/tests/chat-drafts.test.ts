// What a member typed and has not sent, on all of their devices.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ann: Person
let bea: Person
let chatId: string
beforeEach(async () => {
  team = await aTeam()
  ann = await team.aMember({ firstName: 'Ann' })
  bea = await team.aMember({ firstName: 'Bea' })
  const { data, error } = await call<string>(ann, 'create_chat', {
    member_ids: [bea.id],
    name: null,
    first_message: 'Hi',
  })
  if (error) throw error
  chatId = data ?? ''
})
afterEach(() => team?.close())

const [device, phone] = [randomUUID(), randomUUID()]
const save = (person: Person, message: string, age_ms = 0, place = {}) =>
  call<string | null>(person, 'save_draft', { chat_id: chatId, message, age_ms, device, ...place })

type Listed = { chat_id: string; draft: string | null; draft_at: string | null }

async function listed(person: Person): Promise<Listed | undefined> {
  const { data } = await call<Listed[]>(person, 'chat_list')
  return data?.find((chat) => chat.chat_id === chatId)
}
const rows = () =>
  team.sql<{ message: string }>('select message from public.chat_drafts order by written_at')

test('a draft is in its owner’s list, and in nobody else’s', async () => {
  expect(await listed(ann)).toMatchObject({ draft: null, draft_at: null })
  const { data } = await save(ann, 'Half a thought')
  expect(await listed(ann)).toMatchObject({ draft: 'Half a thought', draft_at: data })
  expect(await listed(bea)).toMatchObject({ draft: null })
  expect((await bea.client.from('chat_drafts').select('*')).data).toEqual([])
})

test('the text typed last wins, whenever it is saved and whatever a device’s clock says', async () => {
  await save(ann, 'Typed a minute ago', 60_000)
  await save(ann, 'Typed just now')
  const late = await save(ann, 'Typed an hour ago, saved last', 3_600_000, { device: phone })
  expect(late.data).toBeNull()
  expect((await listed(ann))?.draft).toBe('Typed just now')
  // An age below zero would be a time to come, which nothing could follow.
  await save(ann, 'From a clock that was set back', -3_600_000)
  await save(ann, 'Typed on')
  expect((await listed(ann))?.draft).toBe('Typed on')
})

test('a sent draft stays sent: an older text does not come back', async () => {
  await save(ann, 'On my way')
  await save(ann, '')
  await save(ann, 'On my', 5_000, { device: phone })
  expect(await listed(ann)).toMatchObject({ draft: '' })
})

test('what a device saves follows what it saved before, however long that was on its way', async () => {
  const { data: before } = await save(ann, 'On my way')
  const { data: sent } = await save(ann, '', 2_000)
  expect(sent).toBe(before)
  expect(await listed(ann)).toMatchObject({ draft: '' })
})

test('a save that arrives after its text was sent leaves no draft', async () => {
  await ann.client
    .from('chat_messages')
    .insert({ chat_id: chatId, sender_id: ann.id, message: 'On my way' })
    .throwOnError()
  await save(ann, '', 0, { device: phone })
  await save(ann, 'On my way ')
  expect(await listed(ann)).toMatchObject({ draft: '' })
  await save(bea, 'On my way')
  expect(await listed(bea)).toMatchObject({ draft: 'On my way' })
})

test('a draft has at most 4,000 characters, and is not saved where one may not read', async () => {
  expect((await save(ann, 'x'.repeat(4001))).error?.message).toContain(
    'Draft is at most 4000 characters',
  )
  const outsider = await team.aMember()
  expect((await save(outsider, 'Hello?')).error?.code).toBe('42501')
  expect(await rows()).toEqual([])
})

test('the 50 latest drafts are kept, sent ones last', async () => {
  await team.sql(
    `with chats as (
       insert into public.chats (name, type, created_by)
       select 'Group ' || n, 'group', $1 from generate_series(1, 60) n returning id
     ), places as (
       insert into private.chat_participants (chat_id, user_id) select id, $1 from chats
     )
     insert into public.chat_drafts (user_id, chat_id, message, written_at)
     select $1, id, case when row_number() over (order by id) > 20 then 'typed' else '' end, now()
     from chats`,
    [ann.id],
  )
  await save(ann, 'The oldest', 3_600_000)
  const kept = await rows()
  expect(kept).toHaveLength(50)
  expect(kept.filter(({ message }) => message !== '')).toHaveLength(41)
})

test('the other devices are notified without the text, and nobody else is', async () => {
  await team.sql('delete from realtime.messages')
  await save(ann, 'Secret')
  const published = await team.sql(
    `select each as topic, event, payload - 'id' as payload
     from realtime.messages, unnest(coalesce(topics, array[topic])) each`,
  )
  expect(published).toEqual([
    { topic: `user:${ann.id}`, event: 'draft_changed', payload: { chat_id: chatId, device } },
  ])
})

test('drafts are in the export of the own data, and not in the archive', async () => {
  await save(ann, 'Half a thought')
  const { data } = await call<{ chat_drafts: { message: string }[] }>(ann, 'export_my_data')
  expect(data?.chat_drafts).toMatchObject([{ message: 'Half a thought' }])
  const archived = await team.sql(
    "select from archive.records where content::text like '%Half a thought%'",
  )
  expect(archived).toEqual([])
})

test('drafts end with being in the chat, and with the membership', async () => {
  await save(bea, 'In the chat of two')
  await save(bea, 'To the team', 0, { chat_id: team.mandatoryChatId })
  await bea.client
    .from('chat_participants')
    .update({ is_active: false })
    .match({ chat_id: chatId, user_id: bea.id })
  expect(await rows()).toEqual([{ message: 'To the team' }])
  await team.sql("update private.members set status = 'removed' where id = $1", [bea.id])
  expect(await rows()).toEqual([])
})
