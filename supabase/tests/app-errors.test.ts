// Uncaught errors of the app: what devices may report of them, how much, and who reads it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ann: Person
let admin: Person
beforeAll(async () => {
  team = await aTeam()
  ann = await team.aMember()
  admin = await team.aMember({ isAdmin: true })
})
afterAll(() => team?.close())
beforeEach(async () => {
  await team.sql('truncate private.app_errors, private.app_error_reports')
  await team.sql('update public.team_settings set app_errors_enabled = true')
})

const ERROR = {
  kind: 'TypeError',
  places: ['thread-B2x_1.js:1:4711', 'index-A.js:2:1'],
  screen: '/chat/:id',
  browser: 'Chrome 131 on Android',
}

async function report(values: object = {}, by = ann) {
  const { error } = await call(by, 'report_app_error', { ...ERROR, ...values })
  expect(error).toBeNull()
}
const list = async () => (await call<object[]>(admin, 'app_error_list')).data ?? []
const finding = async () =>
  (await call<{ part: string }[]>(admin, 'system_status')).data?.find(({ part }) => part === 'app')

test('admins read what was reported and how often, but not by whom', async () => {
  expect(await finding()).toMatchObject({ state: 'fine', code: 'quiet' })
  await report()
  await report({}, await team.aMember())
  await report({ screen: '/home' })
  const moment: unknown = expect.stringMatching(/^\d{4}-/)
  expect(await list()).toEqual([
    { ...ERROR, screen: '/home', reports: 1, began_at: moment, last_at: moment },
    { ...ERROR, reports: 2, began_at: moment, last_at: moment },
  ])
  expect(await finding()).toMatchObject({
    state: 'attention',
    code: 'errors',
    detail: { count: 2 },
  })
  await team.sql("update private.app_errors set last_at = now() - interval '25 hours'")
  expect(await finding()).toMatchObject({ state: 'fine', code: 'quiet' })
})

test.each([
  ['a kind with words', { kind: 'Policy 4711 of Ann' }],
  ['no place', { places: [] }],
  ['too many places', { places: Array<string>(6).fill('a.js:1:1') }],
  ['a place with words', { places: ['a.js:1:1', 'Ann owes 300'] }],
  ['a place that is no file of the app', { places: ['call-1-800-555-0100:1:1'] }],
  ['lists of places', { places: [['a.js:1:1'], ['b.js:1:1']] }],
  ['a place of another site', { places: ['https://elsewhere.example/a.js:1:1'] }],
  ['nothing as a place', { places: [null] }],
  ['an address with an id', { screen: '/chat/0B5C6F0E' }],
  ['a browser with words', { browser: 'Chrome 131 of Ann' }],
  ['no browser', { browser: null }],
])('%s is not stored', async (_what, values) => {
  await report(values)
  expect(await list()).toEqual([])
})

test('one member reports twenty an hour; another still reports theirs', async () => {
  for (let line = 1; line <= 22; line++) await report({ places: [`a.js:${line}:1`] })
  expect(await list()).toHaveLength(20)
  await report({}, await team.aMember())
  expect(await list()).toHaveLength(21)
  await team.sql("update private.app_error_reports set since = now() - interval '61 minutes'")
  await report({ places: ['a.js:23:1'] })
  expect(await list()).toHaveLength(22)
})

test('the latest hundred are kept', async () => {
  await team.sql(
    `insert into private.app_errors (kind, places, screen, browser, last_at)
     select 'Error', array['a.js:1:' || n], '/home', 'Other', now() - n * interval '1 minute' from generate_series(1, 100) n`,
  )
  await report()
  const kept = await list()
  expect(kept).toHaveLength(100)
  expect(kept).toContainEqual(expect.objectContaining(ERROR))
  expect(kept).not.toContainEqual(expect.objectContaining({ places: ['a.js:1:100'] }))
})

test('a team that does not want it stores nothing, and the page says so', async () => {
  const { error } = await admin.client
    .from('team_settings')
    .update({ app_errors_enabled: false })
    .eq('id', true)
  expect(error).toBeNull()
  await report()
  expect(await list()).toEqual([])
  expect(await finding()).toMatchObject({ state: 'unwatched', code: 'off' })
})

test('a server takes each error for its log at once, and again after an hour if it goes on', async () => {
  const take = async () => (await call<object[]>(team.service(), 'take_app_errors')).data
  await report()
  expect(await take()).toEqual([{ ...ERROR, reports: 1 }])
  await report()
  expect(await take()).toEqual([])
  await team.sql("update private.app_errors set logged_at = now() - interval '61 minutes'")
  expect(await take()).toEqual([{ ...ERROR, reports: 2 }])
  await team.sql(
    "update private.app_errors set logged_at = now() - interval '3 hours', last_at = now() - interval '4 hours'",
  )
  expect(await take()).toEqual([])
})

test('a server takes ten errors at a time, and the others the next time', async () => {
  await team.sql(
    `insert into private.app_errors (kind, places, screen, browser)
     select 'Error', array['a.js:1:' || n], '/home', 'Other' from generate_series(1, 15) n`,
  )
  const take = async () => (await call<object[]>(team.service(), 'take_app_errors')).data
  expect(await take()).toHaveLength(10)
  expect(await take()).toHaveLength(5)
})
