// The audit log of what decides about supervision: the house rules, the lexicon and the share of the sample.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ada: Person
let sue: Person
beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
  sue = await team.aMember({ firstName: 'Sue', canSupervise: true })
})
afterAll(() => team?.close())

let start = 0
beforeEach(async () => {
  const [last] = await team.sql<{ id: number }>(
    'select coalesce(max(id), 0)::int as id from private.audit_log',
  )
  start = last?.id ?? 0
})
const recorded = () =>
  team.sql(
    `select actor_id, kind, action, object_id, object_name, people, before, after, details
     from private.audit_log where id > $1 order by id`,
    [start],
  )
async function works(request: PromiseLike<{ error: unknown }>) {
  expect((await request).error).toBeNull()
}
const saveRules = (body: string, some: object = {}) =>
  call(ada, 'save_house_rules', { body, contact: '', ...some })

test('a change of the house rules is recorded with who, before and after, and whether everybody is asked again', async () => {
  await works(saveRules('Be kind'))
  await works(saveRules('Be kind, always', { contact: 'abuse@example.com', ask_again: true }))
  await works(saveRules('Be kind, always', { contact: 'abuse@example.com' }))
  expect(await recorded()).toEqual([
    expect.objectContaining({
      actor_id: ada.id,
      kind: 'rules',
      action: 'changed',
      before: { body: '', version: 1 },
      after: { body: 'Be kind', version: 2 },
      details: {},
    }),
    expect.objectContaining({
      before: { body: 'Be kind', contact: '', version: 2 },
      after: { body: 'Be kind, always', contact: 'abuse@example.com', version: 3 },
      details: { asked_again: true },
    }),
  ])
})

test('of long house rules the part around the first difference is recorded', async () => {
  await works(saveRules('a'.repeat(9000)))
  start = (await team.sql<{ id: number }>('select max(id)::int as id from private.audit_log'))[0]!
    .id
  await works(saveRules('a'.repeat(8000) + 'b'.repeat(1000)))
  const [entry] = await recorded()
  expect(entry).toMatchObject({ after: { body: { skipped: 7940, length: 9000 } } })
  expect(JSON.stringify(entry).length).toBeLessThan(1500)
})

test('adding, changing, pausing and removing an entry of the lexicon is recorded; saving it twice is once', async () => {
  const entry_id = randomUUID()
  const save = (some: object) =>
    call(sue, 'save_lexicon_entry', { entry_id, language: 'en', category: 'other', ...some })
  await works(save({ phrase: 'quokka', exceptions: ['the quokka'] }))
  await works(save({ phrase: 'quokka', exceptions: ['the quokka'] }))
  await works(save({ phrase: 'numbat', exceptions: ['the quokka'] }))
  await works(save({ phrase: 'numbat', exceptions: ['the quokka'], is_active: false }))
  await works(save({ phrase: 'numbat', exceptions: ['the quokka'], is_active: true }))
  await team.sql('delete from private.lexicon_entries where id = $1', [entry_id])
  const about = { kind: 'supervision', object_id: entry_id, actor_id: sue.id }
  expect(await recorded()).toMatchObject([
    {
      ...about,
      action: 'lexicon_added',
      object_name: 'quokka',
      before: null,
      after: { phrase: 'quokka', exceptions: ['the quokka'], is_active: true },
    },
    {
      ...about,
      action: 'lexicon_changed',
      before: { phrase: 'quokka' },
      after: { phrase: 'numbat' },
    },
    {
      ...about,
      action: 'lexicon_changed',
      before: { is_active: true },
      after: { is_active: false },
    },
    {
      ...about,
      action: 'lexicon_changed',
      before: { is_active: false },
      after: { is_active: true },
    },
    { action: 'lexicon_removed', actor_id: null, before: { phrase: 'numbat' }, after: null },
  ])
})

test('what the lexicon starts with is nobody’s change', async () => {
  const entries = await team.sql(
    `select from private.audit_log where kind = 'supervision' and actor_id is null and action = 'lexicon_added'`,
  )
  expect(entries).toEqual([])
})

test('the share of the sample is recorded for the team and for a leader’s line, also from the SQL console', async () => {
  const leader = await team.aMember({ firstName: 'Lee' })
  start = (await team.sql<{ id: number }>('select max(id)::int as id from private.audit_log'))[0]!
    .id
  const set = (percent: number | null, leader_id?: string) =>
    call(sue, 'set_review_sampling', { percent, ...(leader_id && { leader_id }) })
  await works(set(10))
  await works(set(10))
  await works(set(20, leader.id))
  await works(set(30, leader.id))
  await works(set(null, leader.id))
  await team.sql('update private.review_worker set percent = 5')
  const about = { kind: 'supervision', action: 'sampling', actor_id: sue.id }
  const ofLine = { ...about, object_id: leader.id, people: [leader.id] }
  expect(await recorded()).toMatchObject([
    { ...about, people: [], before: { percent: 5 }, after: { percent: 10 } },
    { ...ofLine, before: { percent: null }, after: { percent: 20 } },
    { ...ofLine, before: { percent: 20 }, after: { percent: 30 } },
    { ...ofLine, before: { percent: 30 }, after: { percent: null } },
    { ...about, actor_id: null, before: { percent: 10 }, after: { percent: 5 } },
  ])
  const archived = await team.sql(
    `select content -> 'percent' as percent from archive.records where kind = 'review.sampling' order by seq`,
  )
  expect(archived).toEqual([10, 20, 30, null, 5].map((percent) => ({ percent })))
})

test('admins read and filter these entries; nobody else does', async () => {
  await works(saveRules('Once more'))
  const read = (by: Person, of_kind: string) => call<unknown[]>(by, 'audit_entries', { of_kind })
  expect((await read(ada, 'rules')).data).not.toEqual([])
  expect((await read(ada, 'supervision')).data).not.toEqual([])
  expect((await read(sue, 'rules')).error?.code).toBe('42501')
})
