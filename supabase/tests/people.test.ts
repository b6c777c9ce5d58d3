// The directory of the team and the profile of a member.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ada: Person
let maya: Person
let theo: Person
let rosa: Person

type Found = { id: string; first_name: string }
type Profile = {
  sponsor_id: string | null
  sponsor_name: string | null
  brought_in: number
  chat_id: string | null
}

beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
  maya = await team.aMember({ firstName: 'Maya' })
  theo = await team.aMember({ firstName: 'Theo', canSupervise: true })
  rosa = await team.aMember({ firstName: 'Rosalía' })
  await call(ada, 'set_vice_president', { member_id: theo.id, is_vice_president: true })
  await team.sql("update private.members set state = 'TX' where id = any ($1)", [
    [maya.id, rosa.id],
  ])
  await setSponsor(rosa, maya)
})
afterAll(() => team?.close())

const setSponsor = (member: Person, sponsor: Person | null) =>
  team.sql('update private.members set sponsor_id = $2 where id = $1', [
    member.id,
    sponsor?.id ?? null,
  ])
const people = async (args: object = {}, by = maya) =>
  ((await call<Found[]>(by, 'list_people', { ...args })).data ?? []).map(({ id }) => id)
const profile = async ({ id }: Person, by = maya) =>
  (await call<Profile[]>(by, 'member_profile', { member_id: id })).data?.[0]

test('everybody on the team is in it, the reader too, and nobody who is not', async () => {
  const gone = await team.aMember({ firstName: 'Gone' })
  expect(await people()).toEqual(
    expect.arrayContaining([ada.id, maya.id, theo.id, rosa.id, gone.id]),
  )
  for (const status of ['waiting', 'suspended', 'removed', 'deleted']) {
    await team.sql('update private.members set status = $2 where id = $1', [gone.id, status])
    expect(await people()).not.toContain(gone.id)
  }
})

test.each([
  ['the beginning of a name', 'ros'],
  ['an accent left out', 'rosalia'],
  ['capitals', 'ROSALÍA'],
])('%s finds somebody', async (_what, query) => {
  expect(await people({ query })).toEqual([rosa.id])
})

test('a sign that is a wildcard elsewhere finds the names with that sign alone', async () => {
  expect(await people({ query: '%' })).toEqual([])
  expect(await people({ query: 'ros_' })).toEqual([])
  const listed = await call<Found[]>(ada, 'list_members', { query: '\\' })
  expect(listed.data).toEqual([])
  const odd = await team.aMember({ firstName: 'Odd', lastName: '100%_\\' })
  for (const query of ['%', '_', '\\', '0%_\\ odd'])
    expect(await people({ query })).toEqual([odd.id])
  await team.sql("update private.members set status = 'removed' where id = $1", [odd.id])
})

test('accents and capitals do not send a name behind Z, in any list and from page to page', async () => {
  const sorted = ['anna', 'Élan', 'Elm', 'Nia', 'Ñusta', 'Ñusta', 'Óscar', 'Zoe']
  for (const firstName of sorted.toReversed()) await team.aMember({ firstName, lastName: 'Sorter' })
  const firstNames = (found: Found[] | null) => (found ?? []).map((each) => each.first_name)
  const inPages = async (name: string, args: object) => {
    const pages = [0, 3, 6].map((skip) =>
      call<Found[]>(ada, name, { ...args, query: 'sorter', max_results: 3, skip }),
    )
    return (await Promise.all(pages)).flatMap(({ data }) => firstNames(data))
  }

  for (const list of ['list_members', 'search_members', 'onboarding_overview'])
    expect(await inPages(list, {})).toEqual(sorted)
  expect(await inPages('chat_members', { chat_id: team.mandatoryChatId })).toEqual(sorted)

  const seen: Found[] = []
  for (let last: Found | undefined; seen.length < sorted.length; last = seen.at(-1)) {
    const page = await call<Found[]>(maya, 'list_people', {
      query: 'sorter',
      max_results: 3,
      ...(last && {
        after_first_name: last.first_name,
        after_last_name: 'Sorter',
        after_id: last.id,
      }),
    })
    expect(page.data).not.toEqual([])
    seen.push(...(page.data ?? []))
  }
  expect(firstNames(seen)).toEqual(sorted)
})

test('filters by role, state and leader narrow each other', async () => {
  expect(await people({ with_role: 'admin' })).toContain(ada.id)
  expect(await people({ with_role: 'admin' })).not.toContain(maya.id)
  expect(await people({ with_role: 'supervisor' })).toEqual([theo.id])
  expect(await people({ with_role: 'vice_president' })).toEqual([theo.id])
  expect(await people({ with_role: 'sponsor' })).toEqual([maya.id])
  expect(await people({ in_state: 'TX' })).toEqual([maya.id, rosa.id])
  expect(await people({ leader_id: maya.id })).toEqual([rosa.id])
  expect(await people({ in_state: 'TX', with_role: 'sponsor' })).toEqual([maya.id])
  expect(await people({ in_state: 'TX', with_role: 'admin' })).toEqual([])
  expect(await people({ with_role: 'boss' })).toEqual([])
  expect((await call<string[]>(maya, 'people_states')).data).toEqual(['TX'])
})

test('whoever was blocked and who blocked them do not find each other', async () => {
  const [one, two] = [
    await team.aMember({ firstName: 'One' }),
    await team.aMember({ firstName: 'Two' }),
  ]
  await call(one, 'block_member', { member_id: two.id })
  expect(await people({ query: 'two' }, one)).toEqual([])
  expect(await people({ query: 'one' }, two)).toEqual([])
  expect(await people({ query: 'one' })).toEqual([one.id])
})

test('people of a leader who left count as brought in by the next above', async () => {
  const [top, gone, low] = [await team.aMember(), await team.aMember(), await team.aMember()]
  await setSponsor(gone, top)
  await setSponsor(low, gone)
  expect(await people({ leader_id: top.id })).toEqual([gone.id])
  await team.sql("update private.members set status = 'removed' where id = $1", [gone.id])
  expect(await people({ leader_id: top.id })).toEqual([low.id])
  expect(await profile(low)).toMatchObject({ sponsor_id: top.id, sponsor_name: 'Pat Doe' })
  expect(await profile(top)).toMatchObject({ sponsor_id: null, sponsor_name: null, brought_in: 1 })
})

test('a profile names the chat of two that there is, and no other', async () => {
  expect(await profile(rosa)).toMatchObject({ chat_id: null })
  const { data: chatId } = await call<string>(maya, 'create_chat', {
    member_ids: [rosa.id],
    name: null,
    first_message: 'Hello',
  })
  await call(maya, 'create_chat', {
    member_ids: [rosa.id, theo.id],
    name: 'Three',
    first_message: 'Hi',
  })
  expect(await profile(rosa)).toMatchObject({ chat_id: chatId })
  expect(await profile(maya, rosa)).toMatchObject({ chat_id: chatId })
  expect(await profile(rosa, theo)).toMatchObject({ chat_id: null })
  expect(await profile(maya)).toMatchObject({ chat_id: null })
})

test('whoever waits to be let in has no profile, and neither has an unknown id', async () => {
  const waiting = await team.aMember()
  await team.sql(
    "update private.members set status = 'waiting', admitted_at = null where id = $1",
    [waiting.id],
  )
  expect(await profile(waiting)).toBeUndefined()
  expect(await profile({ ...waiting, id: crypto.randomUUID() })).toBeUndefined()
})

test('a profile of a deleted account says that somebody was on the team', async () => {
  const gone = await team.aMember()
  await team.sql('delete from auth.users where id = $1', [gone.id])
  expect(await profile(gone)).toMatchObject({ first_name: 'Former', is_active: false, email: null })
})
