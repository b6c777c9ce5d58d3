// Which links are due for a check, and what counts as broken.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let admin: Person
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ isAdmin: true })
})
afterAll(() => team?.close())
beforeEach(() =>
  team.sql(
    'truncate private.link_checks, public.training_content, public.licensing_content, private.system_state',
  ),
)

const GOOD = 'https://good.example/'
const BAD = 'https://bad.example/page'

const anItem = (url: string, title = 'Lesson') =>
  admin.client
    .from('training_content')
    .insert({ title, url, category: 'Investments' })
    .select('id')
    .single()
const claim = async (max_results = 50) =>
  (await call<string[]>(team.service(), 'claim_links', { max_results })).data?.toSorted()
const report = (...results: object[]) => call(team.service(), 'report_links', { results })
const broken = async () =>
  (await call<Record<string, unknown>[]>(admin, 'broken_links')).data?.map(({ url }) => url)
const figure = async () =>
  (await call<Record<string, unknown>[]>(admin, 'admin_dashboard')).data?.[0]?.broken_links
/** As if the latest checks had been this long ago. */
const later = (interval: string) =>
  team.sql(
    `update private.link_checks set checked_at = checked_at - $1::interval,
       failing_since = failing_since - $1::interval, next_check_at = next_check_at - $1::interval`,
    [interval],
  )

test('every link of active content is due at first and then once a week, however many items share it', async () => {
  await anItem(GOOD)
  await anItem(GOOD, 'Again')
  await admin.client
    .from('licensing_content')
    .insert({ title: 'Book', url: BAD, category: 'Securities license' })
  expect(await claim()).toEqual([BAD, GOOD])
  await report({ url: GOOD, outcome: 'works' }, { url: BAD, outcome: 'works' })
  expect(await claim()).toEqual([])
  await later('6 days 23 hours')
  expect(await claim()).toEqual([])
  await later('2 hours')
  expect(await claim()).toEqual([BAD, GOOD])
})

test('two processes that ask at the same moment share the links', async () => {
  for (let n = 0; n < 20; n++) await anItem(`https://site-${n}.example/`)
  const [one = [], other = []] = await Promise.all([claim(15), claim(15)])
  expect(new Set([...one, ...other]).size).toBe(20)
  expect(one.length + other.length).toBe(20)
})

test('a link that was claimed and never reported is due again after an hour', async () => {
  await anItem(GOOD)
  await claim()
  expect(await claim()).toEqual([])
  await later('61 minutes')
  expect(await claim()).toEqual([GOOD])
})

test('"not found" is broken at once, and works again as soon as it responds', async () => {
  await anItem(GOOD)
  await anItem(BAD)
  await claim()
  await report({ url: GOOD, outcome: 'works' }, { url: BAD, outcome: 'gone', problem: '404' })
  expect([await broken(), await figure()]).toEqual([[BAD], 1])
  await later('25 hours')
  expect(await claim()).toEqual([BAD])
  await report({ url: BAD, outcome: 'works' })
  expect([await broken(), await figure()]).toEqual([[], 0])
})

test('a site that does not respond is broken on the second day', async () => {
  await anItem(GOOD)
  await anItem(BAD)
  await claim()
  const failed = { url: BAD, outcome: 'failed', problem: 'time' }
  await report({ url: GOOD, outcome: 'works' }, failed)
  expect(await broken()).toEqual([])
  await later('25 hours')
  expect(await claim()).toEqual([BAD])
  await report(failed)
  expect(await broken()).toEqual([BAD])
})

test('a server that reaches nothing at all calls no link broken, and says that links are not checked', async () => {
  await anItem(GOOD)
  await anItem(BAD)
  const failed = (url: string) => ({ url, outcome: 'failed', problem: 'host' })
  for (let day = 0; day < 3; day++) {
    await claim()
    await report(failed(GOOD), failed(BAD))
    await later('25 hours')
  }
  expect([await broken(), await figure()]).toEqual([[], null])
})

test('without a server nobody knows, which is not the same as no broken links', async () => {
  await anItem(BAD)
  expect(await figure()).toBeNull()
})

test('a retired item and a corrected link are no longer broken', async () => {
  const { data } = await anItem(BAD)
  const other = await anItem(`${BAD}?2`)
  await claim()
  await report(
    { url: BAD, outcome: 'gone', problem: '404' },
    { url: `${BAD}?2`, outcome: 'gone', problem: '410' },
  )
  expect(await broken()).toHaveLength(2)
  const change = (id: string, values: object) =>
    admin.client.from('training_content').update(values).eq('id', id)
  await change(data?.id as string, { is_active: false })
  await change(other.data?.id as string, { url: GOOD })
  expect(await broken()).toEqual([])
  expect(await claim()).toEqual([GOOD])
  expect(await team.sql('select from private.link_checks')).toHaveLength(1)
})

test('an admin has broken links fetched again; pressed twice, what was just fetched stays', async () => {
  await anItem(BAD)
  await claim()
  await report({ url: BAD, outcome: 'gone', problem: '404' })
  await call(admin, 'check_links_again')
  expect(await claim()).toEqual([])
  await later('2 minutes')
  await Promise.all([call(admin, 'check_links_again'), call(admin, 'check_links_again')])
  expect(await claim()).toEqual([BAD])
})

test('a long link of many bytes is kept like any other', async () => {
  const url = `https://site.example/${'ñ'.repeat(1900)}`
  await anItem(url)
  expect(await claim()).toEqual([url])
})
