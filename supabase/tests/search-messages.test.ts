import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ann: Person
let bea: Person
let outsider: Person
let chatId: string

beforeAll(async () => {
  team = await aTeam()
  ann = await team.aMember({ firstName: 'Ann', lastName: 'Lee' })
  bea = await team.aMember({ firstName: 'Bea', lastName: 'Roe' })
  outsider = await team.aMember()
  const { data } = await call<string>(ann, 'create_chat', {
    member_ids: [bea.id],
    name: null,
    first_message: 'The Hendersons asked for an evening appointment on Thursday',
  })
  chatId = data ?? ''
  for (const message of [
    'La reunión empieza a las ocho',
    'Appointments, appointments!',
    `${'filler '.repeat(60)}needle ${'hay '.repeat(60)}`,
  ])
    await ann.client.from('chat_messages').insert({ chat_id: chatId, sender_id: ann.id, message })
})
afterAll(() => team?.close())

type Found = {
  chat_title: string
  sender_name: string
  snippet: string
  rank: number
  is_near: boolean
  chat_id: string
}
const search = async (person: Person, query: string, some: object = {}) => {
  const { data, error } = await call<Found[]>(person, 'search_messages', { query, ...some })
  if (error) throw error
  return data ?? []
}

test('finds other forms of a word, best match first', async () => {
  const found = await search(bea, 'appointment')
  expect(found.map((each) => each.snippet)).toEqual([
    'Appointments, appointments!',
    'The Hendersons asked for an evening appointment on Thursday',
  ])
  expect(found[0]).toMatchObject({ chat_id: chatId, chat_title: 'Ann Lee', sender_name: 'Ann Lee' })
})
test('finds a word by its prefix', async () => {
  expect(await search(bea, 'hender')).toHaveLength(1)
  expect(await search(bea, 'evening hend')).toHaveLength(1)
  expect(await search(bea, 'morning hend')).toHaveLength(0)
})
test('what is only similar says so', async () => {
  expect(await search(bea, 'thrusday')).toMatchObject([{ is_near: true }])
  expect(await search(bea, 'thursday')).toMatchObject([{ is_near: false }])
})
test('accents do not matter', async () => {
  expect(await search(bea, 'reunion')).toHaveLength(1)
  expect(await search(bea, 'REUNIÓN')).toHaveLength(1)
})
test('quotes and exclusions are exact', async () => {
  expect(await search(bea, '"evening appointment"')).toHaveLength(1)
  expect(await search(bea, '"appointment evening"')).toHaveLength(0)
  expect(await search(bea, 'appointment -evening')).toHaveLength(0)
})
test('a long message is shown around the match', async () => {
  const [found] = await search(bea, 'needle')
  expect(found?.snippet).toContain('needle')
  expect(found?.snippet.length).toBeLessThan(200)
})
test('nobody finds messages of chats they are not in', async () => {
  expect(await search(outsider, 'appointment')).toEqual([])
})
test('deleted messages are not found', async () => {
  await ann.client
    .from('chat_messages')
    .insert({ chat_id: chatId, sender_id: ann.id, message: 'zebra' })
  expect(await search(bea, 'zebra')).toHaveLength(1)
  await ann.client.from('chat_messages').update({ is_deleted: true }).eq('message', 'zebra')
  expect(await search(bea, 'zebra')).toEqual([])
})
test.each([
  '',
  '   ',
  '&|!:*()',
  "'; drop table chats; --",
  '\\',
  '"',
  '-',
  'a'.repeat(10_000),
  '<->',
])('whatever is typed, the result is a list: %.20s', async (query) => {
  expect(await search(bea, query)).toBeInstanceOf(Array)
})
test('returns at most the requested number, and never more than 100', async () => {
  expect(await search(bea, 'appointment', { max_results: 1 })).toHaveLength(1)
  expect(await search(bea, 'appointment', { max_results: 0 })).toEqual([])
  expect(await search(bea, 'appointment', { max_results: -5 })).toEqual([])
})

test.each(['-', '- ', ' -', '-"a" ', '- -"'])(
  'a search with "%s" again and again is answered',
  async (dashes) => {
    expect(await search(bea, `x ${dashes.repeat(90)} y`.slice(0, 200))).toEqual([])
    expect((await search(bea, `appointments ${dashes.repeat(40)}thursday`)).length).toBeLessThan(3)
  },
)
