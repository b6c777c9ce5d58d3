// A team of 10,000: the cost of finding people in database pages, which does not depend on the machine.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bestTime } from './best-time.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

const TEAM = 10_000

let team: Team
let maya: Person

beforeAll(async () => {
  team = await aTeam()
  maya = await team.aMember({ firstName: 'Maya' })
  await team.sql('alter table private.members disable trigger user')
  await team.sql('alter table private.chat_participants disable trigger user')
  await team.sql(
    `insert into private.members (id, first_name, last_name, email)
     select gen_random_uuid(), (array['Ana', 'Ben', 'Cleo', 'José', 'Zoë'])[1 + n % 5], 'Person' || n,
       'person' || n || '@example.com'
     from generate_series(1, $1::int) n`,
    [TEAM],
  )
  await team.sql(
    `insert into private.chat_participants (chat_id, user_id) select $1, id from private.members
     on conflict do nothing`,
    [team.mandatoryChatId],
  )
  // Maya brought in 300, a quarter of them in each of four states.
  await team.sql(
    `update private.members m set state = (array['TX', 'NY', 'CA', 'PR'])[1 + n % 4],
       sponsor_id = case when m.id <> $1 then $1::uuid end
     from (select id, row_number() over (order by id) as n from private.members limit 300) each
     where each.id = m.id`,
    [maya.id],
  )
  await team.sql('vacuum analyze private.members')
  await team.sql('analyze private.chat_participants')
}, 60_000)
afterAll(() => team?.close())

type Found = { id: string; first_name: string; last_name: string }

async function search(query: string, skip = 0, person = maya): Promise<Found[]> {
  const { data, error } = await call<Found[]>(person, 'search_members', { query, skip })
  if (error) throw error
  return data ?? []
}

const names = (found: Found[]) => found.map((each) => `${each.first_name} ${each.last_name}`)

test.each([
  ['part of a name', 'erson777', 11],
  ['every word, in any order', '4321 ben', 1],
  ['part of an address', 'person4321@', 1],
  ['an accent left out', 'zoe person4', 50],
  ['no capitals', 'JOSÉ PERSON13', 23],
])('%s finds somebody', async (_what, query, count) => {
  expect(await search(query)).toHaveLength(count)
})

test('pattern characters match only themselves', async () => {
  expect(await search('%zzz%')).toEqual([])
  expect(await search('_erson777')).toEqual([])
})

test('pages are sorted by name and skip nobody', async () => {
  const [first, second] = [await search('cleo'), await search('cleo', 50)]
  const all = names([...first, ...second])
  expect(new Set(all).size).toBe(100)
  expect(all).toEqual(all.toSorted())
})

test('neither the searching member nor a former one is found', async () => {
  const [{ id } = { id: '' }] = await search('person4321')
  await team.sql("update private.members set status = 'removed' where id = $1", [id])
  expect(await search('person4321')).toEqual([])
  expect(await search('maya')).toEqual([])
  await team.sql("update private.members set status = 'active' where id = $1", [id])
})

test('an anonymous caller finds nobody', async () => {
  await expect(search('ana', 0, team.anonymous())).rejects.toMatchObject({ code: '42501' })
})

test('members of the team chat are found by name, not by e-mail', async () => {
  const inChat = async (query: string) =>
    (await call<Found[]>(maya, 'chat_members', { chat_id: team.mandatoryChatId, query })).data
  expect(names((await inChat('jose person13')) ?? [])).toContain('José Person13')
  expect(await inChat('example.com')).toEqual([])
})

test.each([
  ['a rare name', 'person777'],
  ['two words', 'zoe 4321'],
  ['one letter', 'a'],
  ['nothing', ''],
  ['a name that nobody has', 'xyzzy'],
])('searching %s reads a small part of the team', async (_what, query) => {
  expect(await pagesTouched(`select * from public.search_members('${query}')`)).toBeLessThan(60)
})

type PeopleFilter = {
  with_role?: string
  in_state?: string
  leader_id?: string
}

async function page(filter: PeopleFilter, last?: Found): Promise<Found[]> {
  const after = last && {
    after_first_name: last.first_name,
    after_last_name: last.last_name,
    after_id: last.id,
  }
  const { data, error } = await call<Found[]>(maya, 'list_people', { ...filter, ...after })
  if (error) throw error
  return data ?? []
}

test.each<[string, PeopleFilter]>([
  ['the team', {}],
  ['a state', { in_state: 'TX' }],
  ['whom somebody brought in', { leader_id: 'maya' }],
])('pages of the directory have everybody of %s once, in order', async (_what, filter) => {
  const wanted = filter.leader_id ? { leader_id: maya.id } : filter
  const all: Found[] = []
  for (let found = await page(wanted); found.length > 0 && all.length < 400;) {
    all.push(...found)
    found = await page(wanted, found.at(-1))
  }
  expect(all.length).toBeGreaterThan(60)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(names(all)).toEqual(names(all).toSorted())
})

test.each([
  ['the first page', ''],
  [
    'a page in the middle',
    `after_first_name => 'Cleo', after_last_name => 'Person5002', after_id => gen_random_uuid()`,
  ],
  [
    'the last page',
    `after_first_name => 'Zoë', after_last_name => 'Person9994', after_id => gen_random_uuid()`,
  ],
  ['a common letter', `query => 'a'`],
  ['a rare name', `query => 'person777'`],
  ['a name that nobody has', `query => 'xyzzy'`],
  ['admins', `with_role => 'admin'`],
  ['supervisors, of whom there are none', `with_role => 'supervisor'`],
  ['who brought somebody in', `with_role => 'sponsor'`],
  ['a state', `in_state => 'TX'`],
  ['a state without anybody', `in_state => 'AK'`],
  ['whom a leader brought in', `leader_id => 'MAYA'`],
])('the directory finds %s within 20 ms', async (_what, args) => {
  const statement = `select * from public.list_people(${args.replace('MAYA', maya.id)})`
  expect(await bestTime(team, maya, statement)).toBeLessThan(20)
})

test('a profile and the list of states take less than 20 ms', async () => {
  expect(
    await bestTime(team, maya, `select * from public.member_profile('${maya.id}')`),
  ).toBeLessThan(20)
  expect(await bestTime(team, maya, 'select public.people_states()')).toBeLessThan(20)
})

test('a page of the directory reads a small part of the team, however far into it', async () => {
  for (const after of [
    '',
    `after_first_name => 'Zoë', after_last_name => 'Person4', after_id => '${maya.id}'`,
  ]) {
    expect(await pagesTouched(`select * from public.list_people(${after})`)).toBeLessThan(80)
  }
})

test('the test would notice a full scan of the team', async () => {
  expect(
    await pagesTouched('select sum(length(searchable)) from private.members', true),
  ).toBeGreaterThan(150)
})

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
type Explained = [{ 'QUERY PLAN': [{ Plan: Plan }] }]

/** Pages a statement touches. The second run counts: the first also reads the catalog. */
async function pagesTouched(statement: string, asOwner = false): Promise<number> {
  const explain = `explain (analyze, buffers, format json) ${statement}`
  const claimsText = JSON.stringify({ sub: maya.id, role: 'authenticated' })
  const rows = asOwner ? await team.sql(explain) : await asMaya()
  const [{ 'QUERY PLAN': plans }] = rows as Explained
  const { Plan: plan } = plans[0]
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']

  async function asMaya(): Promise<unknown> {
    const caller = { role: 'authenticated' as const, claimsText }
    const result = await team.backend.database.transactionAs(caller, async (query) => {
      await query({ text: statement })
      return query({ text: explain })
    })
    return result.rows
  }
}
