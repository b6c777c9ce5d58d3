// House rules: a new account accepts the version it was shown, and everybody again when an admin asks for it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordedBy } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ada: Person
let maya: Person

beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
  maya = await team.aMember({ firstName: 'Maya' })
})
afterAll(() => team?.close())

type Rules = { body: string; version: number; must_accept: boolean; contact: string }
const rulesFor = async (person: Person) => (await call<Rules[]>(person, 'house_rules')).data?.[0]
const save = (by: Person, body: string, some: object = {}) =>
  call(by, 'save_house_rules', { body, contact: '', ...some })
const acceptedBy = (id: string) =>
  team.sql<{ version: number }>(
    'select version from private.rule_acceptances where member_id = $1 and accepted_at is not null',
    [id],
  )

async function anAccount(data: object, isConfirmed = true): Promise<string> {
  const id = randomUUID()
  await team.sql(
    `insert into auth.users (id, email, aud, role, email_confirmed_at, created_at, raw_user_meta_data)
     values ($1, $2, 'authenticated', 'authenticated', $3, now(), $4)`,
    [id, `${id}@example.com`, isConfirmed ? new Date() : null, data],
  )
  return id
}

test('without rules of their own a team has the default, which stops nobody at the door', async () => {
  expect(await rulesFor(maya)).toMatchObject({ body: '', version: 1, must_accept: false })
  expect(await rulesFor(team.anonymous())).toMatchObject({ version: 1, must_accept: false })
})

test('who signs up accepts the version they were shown, no later one, and once', async () => {
  expect(await acceptedBy(await anAccount({ house_rules: 1 }))).toEqual([{ version: 1 }])
  expect(await acceptedBy(await anAccount({ house_rules: '999' }))).toEqual([{ version: 1 }])
  for (const nonsense of ['-1', 'x', '1e9', null, {}])
    expect(await acceptedBy(await anAccount({ house_rules: nonsense }))).toEqual([])
  const invited = await anAccount({})
  await team.sql(`update auth.users set raw_user_meta_data = '{"house_rules": 1}' where id = $1`, [
    invited,
  ])
  expect(await acceptedBy(invited)).toEqual([{ version: 1 }])
})

test('a change asks everybody again only if the admin says so', async () => {
  await save(ada, 'Be kind')
  expect(await rulesFor(maya)).toMatchObject({ body: 'Be kind', version: 2, must_accept: false })
  await save(ada, 'Be kind, always', { ask_again: true })
  expect(await rulesFor(maya)).toMatchObject({ version: 3, must_accept: true })
  expect(await rulesFor(ada)).toMatchObject({ must_accept: false })
  await Promise.all([1, 2].map(() => call(maya, 'accept_house_rules', { version: 3 })))
  expect(await rulesFor(maya)).toMatchObject({ must_accept: false })
  expect(await acceptedBy(maya.id)).toEqual([{ version: 3 }])
})

test('accepting an older version is not accepting this one', async () => {
  const theo = await team.aMember()
  await save(ada, 'Version four', { ask_again: true })
  await call(theo, 'accept_house_rules', { version: 3 })
  expect(await rulesFor(theo)).toMatchObject({ must_accept: true })
})

test('only admins write them, within limits', async () => {
  expect((await save(maya, 'Mine')).error?.code).toBe('42501')
  expect((await save(ada, 'x'.repeat(10_001))).error?.message).toContain(
    'House rules are at most 10000 characters',
  )
  expect((await save(ada, 'Fine', { contact: 'nobody' })).error?.message).toContain(
    'Contact must be an e-mail address',
  )
})

test('changes and acceptances are archived', async () => {
  const theo = await team.aMember()
  const records = await recordedBy(team, async () => {
    await save(ada, 'For the record', { contact: 'abuse@example.com', ask_again: true })
    await call(theo, 'accept_house_rules', { version: 99 })
  })
  expect(records.find(({ kind }) => kind === 'rules.changed')?.content).toMatchObject({
    body: 'For the record',
    contact: 'abuse@example.com',
  })
  expect(records.at(-1)).toMatchObject({ kind: 'rules.accepted', actor_id: theo.id })
})
