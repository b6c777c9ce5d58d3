import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishNotice } from './publish-notice.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ann: Person
let bea: Person
let dana: Person
let outsider: Person
let chatId: string

type Found = {
  kind: string
  id: string | null
  title: string | null
  detail: string | null
  snippet: string | null
  at: string | null
  is_near: boolean
}

beforeAll(async () => {
  team = await aTeam()
  ann = await team.aMember({ firstName: 'Ann', lastName: 'Henderson' })
  bea = await team.aMember({ firstName: 'Bea', lastName: 'Roe' })
  dana = await team.aMember({ firstName: 'Dana', isAdmin: true })
  outsider = await team.aMember()
  const { data } = await call<string>(ann, 'create_chat', {
    member_ids: [bea.id, dana.id],
    name: 'Fundraisers',
    first_message: 'The fundraiser needs volunteers',
  })
  chatId = data ?? ''
  await team.sql(
    `insert into public.training_content (title, description, category)
     values ('Calling volunteers', 'A script', 'Investments'), ('Second', 'For volunteers too', 'Investments')`,
  )
  await team.sql(
    `insert into public.licensing_content (title, category) values ('Examen de licencia', 'Securities license')`,
  )
  await team.sql(`insert into public.newrepstart_content (title) values ('Meet your volunteers')`)
  await team.sql(
    `insert into public.schedule_content (title, day_of_week, start_time, end_time)
     values ('Volunteers on Monday', 'Monday', '19:00', '20:00')`,
  )
  await publishNotice(dana, { title: 'Volunteers wanted' })
})
afterAll(() => team?.close())

async function search(person: Person, args: Record<string, unknown>): Promise<Found[]> {
  const { data, error } = await call<Found[]>(person, 'search_everything', args)
  if (error) throw error
  return data ?? []
}
const kinds = (found: Found[]) => found.map(({ kind }) => kind).toSorted()
const send = async (message: string, more: object = {}) => {
  const { data, error } = await ann.client
    .from('chat_messages')
    .insert({ chat_id: chatId, sender_id: ann.id, message, ...more })
    .select('id')
    .single<{ id: string }>()
  if (error) throw error
  return data.id
}

test('one request finds every kind', async () => {
  const found = await search(bea, { query: 'volunteer' })
  expect(kinds(found)).toEqual(
    ['meeting', 'message', 'newrepstart', 'notice', 'training', 'training'].toSorted(),
  )
  expect(kinds(await search(bea, { query: 'henderson' }))).toEqual(['person'])
  expect(kinds(await search(bea, { query: 'fundraisers' }))).toEqual(['chat', 'message'])
})

test('whose title has the word comes first', async () => {
  const found = await search(bea, { query: 'volunteers' })
  expect(found.filter(({ kind }) => kind === 'training').map(({ title }) => title)).toEqual([
    'Calling volunteers',
    'Second',
  ])
})

test.each([
  ['another form of an English word', 'volunteering', 'training'],
  ['another form of a Spanish word', 'licencias', 'licensing'],
  ['an accent too many', 'exámen', 'licensing'],
  ['the beginning of a word', 'volunt', 'notice'],
  ['words that say nothing beside one that does', 'the volunteers of the', 'training'],
])('%s finds it', async (_what, query, kind) => {
  expect(kinds(await search(bea, { query }))).toContain(kind)
})

test.each([
  ['a letter wrong', 'hendersen'],
  ['a letter missing', 'hendrson'],
  ['a letter too many', 'hendderson'],
  ['two letters swapped', 'hednerson'],
])('a name with %s is found as similar', async (_what, query) => {
  expect(await search(bea, { query })).toMatchObject([
    { kind: 'person', id: ann.id, is_near: true },
  ])
})

test('a message with a typo on either side is found as similar, unless another has the word', async () => {
  const id = await send('Kumquats for everybody')
  expect(await search(bea, { query: 'kumqauts' })).toMatchObject([{ id, is_near: true }])
  const exact = await send('kumqauts')
  expect((await search(bea, { query: 'kumqauts' })).map((each) => each.id)).toEqual([exact])
})

test('what is quoted or excluded has no typos', async () => {
  await send('Durian on the table')
  expect(await search(bea, { query: '"durain"' })).toEqual([])
  expect(await search(bea, { query: 'durian -table' })).toEqual([])
})

test('an edited message is found by its new words alone', async () => {
  const id = await send('Papaya at noon')
  await ann.client.from('chat_messages').update({ message: 'Guava at noon' }).eq('id', id)
  expect(await search(bea, { query: 'papaya' })).toEqual([])
  expect(await search(bea, { query: 'guava' })).toMatchObject([{ id, snippet: 'Guava at noon' }])
})

test('filters find messages alone: by who wrote them, where and until when', async () => {
  const id = await send('Lychee, anyone?')
  expect(await search(bea, { query: 'lychee', sender: 'ann' })).toMatchObject([{ id }])
  expect(await search(ann, { query: 'lychee', sender: 'me' })).toMatchObject([{ id }])
  expect(await search(bea, { query: 'lychee', sender: 'bea' })).toEqual([])
  expect(await search(bea, { query: 'lychee', sender: 'nobody of this name' })).toEqual([])
  expect(await search(bea, { query: 'lychee', place: 'fundr' })).toMatchObject([{ id }])
  expect(await search(bea, { query: 'lychee', place: 'Rally' })).toEqual([])
  expect(await search(bea, { query: 'lychee', until: '2026-01-01T00:00:00Z' })).toEqual([])
  expect(kinds(await search(bea, { query: 'volunteer', place: 'fundr' }))).toEqual(['message'])
  expect((await search(bea, { sender: 'ann' })).length).toBeGreaterThan(2)
})

test('only messages with an image, where that is asked for', async () => {
  // How images are stored is another test's business.
  await team.sql('alter table public.chat_messages disable trigger check_message_extras')
  const [message] = await team.sql<{ id: string }>(
    `insert into public.chat_messages (chat_id, sender_id, message, attachment)
     values ($1, $2, 'Rhubarb', '{"path": "x", "width": 1, "height": 1}') returning id`,
    [chatId, ann.id],
  )
  await team.sql('alter table public.chat_messages enable trigger check_message_extras')
  await send('Rhubarb without')
  expect((await search(bea, { query: 'rhubarb', has_image: true })).map(({ id }) => id)).toEqual([
    message?.id,
  ])
})

test('who left a chat, and who was never in it, finds nothing of it', async () => {
  await send('Mangosteen')
  expect(await search(bea, { query: 'mangosteen' })).toHaveLength(1)
  expect(await search(outsider, { query: 'mangosteen' })).toEqual([])
  const leave =
    'update private.chat_participants set is_active = $3 where chat_id = $1 and user_id = $2'
  await team.sql(leave, [chatId, bea.id, false])
  expect(await search(bea, { query: 'mangosteen' })).toEqual([])
  expect(await search(bea, { query: 'fundraisers' })).toEqual([])
  await team.sql(leave, [chatId, bea.id, true])
})

test('a blocked person and what they say are not found', async () => {
  await send('Jackfruit')
  await team.sql('insert into private.blocks (blocker_id, blocked_id) values ($1, $2)', [
    bea.id,
    ann.id,
  ])
  expect(await search(bea, { query: 'jackfruit' })).toEqual([])
  expect(await search(bea, { query: 'henderson' })).toEqual([])
  expect(await search(bea, { query: 'hendersen' })).toEqual([])
  await team.sql('delete from private.blocks')
})

test('what was retired or withdrawn is not found, by admins neither', async () => {
  const id = await publishNotice(dana, { title: 'Quince' })
  expect(await search(bea, { query: 'quince' })).toMatchObject([{ id }])
  await team.sql('update public.team_notices set cancelled_at = now() where id = $1', [id])
  await team.sql(
    `insert into public.training_content (title, category, is_active) values ('Quince', 'Investments', false)`,
  )
  for (const person of [bea, dana]) expect(await search(person, { query: 'quince' })).toEqual([])
})

test('older messages follow in further requests, none twice and none left out', async () => {
  await team.sql(
    `insert into public.chat_messages (chat_id, sender_id, message, sent_at)
     select $1, $2, 'starfruit ' || n, now() - n * interval '1 minute' from generate_series(1, 50) n`,
    [chatId, ann.id],
  )
  const ids: string[] = []
  let until: string | undefined = '2100-01-01T00:00:00Z'
  for (let page = 0; until && page < 10; page++) {
    const found: Found[] = await search(bea, { query: 'starfruit', until })
    ids.push(...found.flatMap(({ kind, id }) => (kind === 'message' && id ? [id] : [])))
    until = found.find(({ kind }) => kind === 'older')?.at ?? undefined
  }
  expect(ids).toHaveLength(50)
  expect(new Set(ids).size).toBe(50)
})

test.each([
  '',
  'a',
  '   ',
  '&|!:*()',
  "'; drop table chats; --",
  '\\',
  '"',
  '-',
  '-word',
  'a'.repeat(10_000),
  '<->',
  "o'brien's [x](y) $1 %s",
  'ñandú 你好 🎉 ٣',
  'one two three four five six seven eight nine ten',
])('whatever is typed, the result is a list: %.20s', async (query) => {
  expect(await search(bea, { query })).toBeInstanceOf(Array)
  expect(await search(bea, { sender: query, place: query })).toBeInstanceOf(Array)
})
