// What supervisors do with the queue: decide once, note for good, never about themselves.
import { randomUUID } from 'node:crypto'
import { untilBlocked } from 'backend/testing/until-blocked.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aGroup, send } from './archive-records.ts'
import { ownConnections } from './own-connections.ts'
import { noSample, queue, said, versionOf } from './review-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let sue: Person
let sam: Person
let mel: Person
beforeAll(async () => {
  team = await aTeam()
  sue = await team.aMember({ firstName: 'Sue', canSupervise: true })
  sam = await team.aMember({ firstName: 'Sam', canSupervise: true })
  mel = await team.aMember({ firstName: 'Mel' })
})
const { aConnection, endConnections } = ownConnections(() => team)
afterAll(async () => {
  await endConnections()
  await team?.close()
})
beforeEach(() => noSample(team))

async function anItem(author = mel): Promise<string> {
  const [item] = await said(team, author, 'Guaranteed returns')
  if (!item) throw new Error('nothing was caught')
  return item.id
}
type Decision = { outcome?: string; note?: string; event_id?: string; if_version?: number }
const decide = async (by: Person, item_id: string, decision: Decision = {}) =>
  call(by, 'decide_review_item', {
    item_id,
    outcome: 'fine',
    note: '',
    if_version: await versionOf(team, item_id),
    ...decision,
  })
const detail = async (by: Person, item_id: string) =>
  (await call<Record<string, unknown>[]>(by, 'review_item', { item_id })).data?.[0]
type Week = Record<string, number>
const figures = async (by: Person, options: { weeks: number; leader_id?: string | undefined }) =>
  (await call<Week[]>(by, 'review_figures', options)).data ?? []
const recorded = (id: string) =>
  team.sql(
    `select kind, actor_name from archive.records
     where subject_id = $1 and kind like 'review.%' and kind <> 'review.queued' order by seq`,
    [id],
  )

test('a decision closes the item, with its note, and is a record of the archive', async () => {
  const id = await anItem()
  expect((await decide(sue, id, { outcome: 'violation', note: 'Called them' })).error).toBeNull()
  expect(await detail(sam, id)).toMatchObject({
    outcome: 'violation',
    events: [{ action: 'decided', note: 'Called them', actor: 'Sue Doe', outcome: 'violation' }],
  })
  expect((await queue(sue, { state: 'closed' })).map((item) => item.id)).toContain(id)
  expect((await queue(sue)).map((item) => item.id)).not.toContain(id)
  expect(await recorded(id)).toEqual([{ kind: 'review.decided', actor_name: 'Sue Doe' }])
})

test('of two reviewers at once the second learns of the first', async () => {
  const id = await anItem()
  const version = await versionOf(team, id)
  const results = await Promise.all([
    decide(sue, id, { outcome: 'fine', if_version: version }),
    decide(sam, id, { outcome: 'violation', if_version: version }),
  ])
  const errors = results.map(({ error }) => error).filter((error) => error !== null)
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatchObject({
    code: 'PT409',
    message: 'Another supervisor has changed this meanwhile',
  })
})

test('who loses the right while a decision waits for another decides nothing', async () => {
  const id = await anItem()
  const admin = await team.aMember({ isAdmin: true })
  const slow = await team.aMember({ canSupervise: true })
  const other = await aConnection()
  await other.query('begin')
  await other.query('select from private.review_items where id = $1 for update', [id])
  const waiting = decide(slow, id)
  await untilBlocked(team.sql)
  const taken = { member_id: slow.id, can_supervise: false }
  expect((await call(admin, 'set_supervisor', taken)).error).toBeNull()
  await other.query('commit')
  expect((await waiting).error).toMatchObject({ code: '42501' })
  expect(await detail(sue, id)).toMatchObject({ outcome: null })
})

test('an id that was sent for something else decides nothing, whoever sent it', async () => {
  const [one, other] = [await anItem(), await anItem()]
  const event_id = randomUUID()
  await call(sam, 'note_review_item', { item_id: one, note: 'Hm', event_id })
  for (const by of [sue, sam]) {
    const { error } = await decide(by, other, { event_id })
    expect(error).toMatchObject({ code: 'PT409' })
  }
  expect(await detail(sue, other)).toMatchObject({ outcome: null, events: [] })
  expect((await decide(sue, other, { if_version: undefined })).error).not.toBeNull()
})

test('pressing twice decides and notes once', async () => {
  const id = await anItem()
  const [event_id, noteId] = [randomUUID(), randomUUID()]
  const version = await versionOf(team, id)
  const note = () => call(sue, 'note_review_item', { item_id: id, note: 'Hm', event_id: noteId })
  for (const result of [await note(), await note()]) expect(result.error).toBeNull()
  const twice = { event_id, if_version: version }
  for (const result of [await decide(sue, id, twice), await decide(sue, id, twice)])
    expect(result.error).toBeNull()
  expect((await detail(sue, id))?.events).toHaveLength(2)
})

test('an item opened again says why, and counts as open', async () => {
  const id = await anItem()
  await decide(sue, id)
  const reopen = async (note: string) =>
    call(sam, 'reopen_review_item', { item_id: id, note, if_version: await versionOf(team, id) })
  expect((await reopen(' ')).error?.message).toBe('Say why you open it again')
  expect((await reopen('New facts')).error).toBeNull()
  expect((await queue(sue)).map((item) => item.id)).toContain(id)
  expect(await recorded(id)).toEqual([
    { kind: 'review.decided', actor_name: 'Sue Doe' },
    { kind: 'review.reopened', actor_name: 'Sam Doe' },
  ])
})

test('items are given to supervisors, and to nobody else', async () => {
  const id = await anItem()
  const assign = async (assignee: Person | null) =>
    call(sue, 'assign_review_item', {
      item_id: id,
      assignee: assignee?.id ?? null,
      if_version: await versionOf(team, id),
    })
  expect((await assign(mel)).error?.message).toBe('Choose a supervisor who may review this')
  expect((await assign(sam)).error).toBeNull()
  expect((await queue(sam, { state: 'mine' })).map((item) => item.id)).toContain(id)
  expect((await queue(sue, { state: 'mine' })).map((item) => item.id)).not.toContain(id)
})

test('nobody reviews what they wrote, in any way', async () => {
  const id = await anItem(sue)
  expect((await queue(sue)).map((item) => item.id)).not.toContain(id)
  expect((await queue(sam)).map((item) => item.id)).toContain(id)
  expect(await detail(sue, id)).toBeUndefined()
  const [counts] = (await call<{ for_others: number }[]>(sue, 'review_counts')).data ?? []
  expect(counts?.for_others).toBe(1)
  const if_version = await versionOf(team, id)
  for (const result of [
    await decide(sue, id),
    await call(sue, 'open_review_item', { item_id: id }),
    await call(sue, 'note_review_item', { item_id: id, note: 'Mine' }),
    await call(sue, 'assign_review_item', { item_id: id, assignee: sam.id, if_version }),
  ])
    expect(result.error?.message).toBe('Somebody else has to review this')
  expect(
    (await call(sam, 'assign_review_item', { item_id: id, assignee: sue.id, if_version })).error
      ?.message,
  ).toBe('Choose a supervisor who may review this')
})

test('notes and decisions stay, for the owner of the database too', async () => {
  const id = await anItem()
  await decide(sue, id)
  for (const attempt of [
    'update private.review_events set note = $$x$$',
    'delete from private.review_events',
  ])
    await expect(team.sql(attempt)).rejects.toThrow('What was noted in a review stays')
})

describe('a report', () => {
  async function aReport() {
    const rep = await team.aMember()
    const chat = await aGroup(mel, [rep, sue])
    const message = await send(mel, 'Rude words', chat)
    await call(rep, 'report_message', { message_id: message, reason: 'harassment', note: '' })
    const [item] = await team.sql<{ id: string }>(
      'select id from private.review_items where message_id = $1',
      [message],
    )
    return { rep, message, id: item?.id ?? '' }
  }
  const outcomes = async (rep: Person) =>
    ((await call<{ outcome: string | null }[]>(rep, 'my_reports')).data ?? []).map((r) => r.outcome)

  test('tells the reporter what became of it, also after it was opened again', async () => {
    const { rep, id } = await aReport()
    await decide(sam, id, { outcome: 'follow_up' })
    expect(await outcomes(rep)).toEqual(['follow_up'])
    await call(sam, 'reopen_review_item', {
      item_id: id,
      note: 'Again',
      if_version: await versionOf(team, id),
    })
    expect(await outcomes(rep)).toEqual([null])
  })

  test('that was made again meanwhile is decided there', async () => {
    const { rep, id, message } = await aReport()
    await decide(sam, id)
    await call(rep, 'report_message', { message_id: message, reason: 'spam', note: '' })
    const result = await call(sam, 'reopen_review_item', {
      item_id: id,
      note: 'Again',
      if_version: await versionOf(team, id),
    })
    expect(result.error?.message).toBe('Another item about this is open; decide there')
  })
})

test('the queue comes page by page, without gaps', async () => {
  for (let count = 0; count < 5; count++) await anItem()
  const ids: string[] = []
  let after = {}
  for (;;) {
    const page = (await queue(sam, { ...after, max_results: 2 })) as unknown as {
      id: string
      created_at: string
    }[]
    ids.push(...page.map((item) => item.id))
    const last = page.at(-1)
    if (!last) break
    after = { after_time: last.created_at, after_id: last.id }
  }
  const [all] = await team.sql<{ count: number }>(
    'select count(*)::int as count from private.review_items where closed_at is null and member_id <> $1',
    [sam.id],
  )
  expect(new Set(ids).size).toBe(all?.count)
})

test('the figures of a leader’s line count what the people below wrote, however far below', async () => {
  const [top, middle, low, aside] = (await Promise.all([1, 2, 3, 4].map(() => team.aMember()))) as [
    Person,
    Person,
    Person,
    Person,
  ]
  await team.sql('update private.members set sponsor_id = $2 where id = $1', [middle.id, top.id])
  await team.sql('update private.members set sponsor_id = $2 where id = $1', [low.id, middle.id])
  for (const author of [top, middle, aside]) await anItem(author)
  await decide(sue, await anItem(low))
  const figuresOf = async (leader_id: string) => {
    const [week] = await figures(sue, { weeks: 1, leader_id })
    const { messages, lexicon, reviewed, open } = week ?? {}
    return { messages, lexicon, reviewed, open }
  }
  const ofTop = { messages: 2, lexicon: 2, reviewed: 1, open: 1 }
  expect(await figuresOf(top.id)).toEqual(ofTop)
  expect(await figuresOf(middle.id)).toEqual({ messages: 1, lexicon: 1, reviewed: 1, open: 0 })
  expect(await figuresOf(low.id)).toEqual({ messages: 0, lexicon: 0, reviewed: 0, open: 0 })
  // Who left the team led these people then.
  await team.sql(`update private.members set status = 'suspended' where id = $1`, [middle.id])
  expect(await figuresOf(top.id)).toEqual(ofTop)
})

test('the figures leave out what is about the supervisor who reads them', async () => {
  const leader = await team.aMember()
  await team.sql('update private.members set sponsor_id = $1 where id = $2', [leader.id, sam.id])
  const figuresFor = async (by: Person, leader_id?: string) => {
    const [week] = await figures(by, { weeks: 1, leader_id })
    const { lexicon, report, reviewed, violation, open } = week ?? {}
    return { lexicon, report, reviewed, violation, open }
  }
  const before = await figuresFor(sam)
  const own = await anItem(sam)
  await call(mel, 'report_member', { member_id: sam.id, reason: 'harassment', note: '' })
  await decide(sue, own, { outcome: 'violation' })
  expect(await figuresFor(sam)).toEqual(before)
  const none = { lexicon: 0, report: 0, reviewed: 0, violation: 0, open: 0 }
  expect(await figuresFor(sam, leader.id)).toEqual(none)
  const all = { lexicon: 1, report: 1, reviewed: 1, violation: 1, open: 1 }
  expect(await figuresFor(sue, leader.id)).toEqual(all)
})

test('what was open when a week ended is counted back from what is open now', async () => {
  const ids = [await anItem(), await anItem(), await anItem()]
  const set = (id: string | undefined, weeks: number, closed: number | null) =>
    team.sql(
      `update private.review_items set created_at = now() - $2 * interval '7 days',
         closed_at = now() - $3::int * interval '7 days', outcome = case when $3::int is not null then 'fine' end
       where id = $1`,
      [id, weeks, closed],
    )
  const openByWeek = async () => (await figures(sue, { weeks: 5 })).map(({ open = NaN }) => open)
  const before = await openByWeek()
  await set(ids[0], 3, null)
  await set(ids[1], 4, 2)
  await set(ids[2], 9, 1)
  const after = await openByWeek()
  expect(after.map((open, week) => open - (before[week] ?? 0))).toEqual([-2, 1, 2, 3, 2])
})

test('the figures of the week say what was sent, caught and decided', async () => {
  const [before] = await figures(sue, { weeks: 2 })
  const id = await anItem()
  await decide(sue, id, { outcome: 'violation' })
  const [after, ...others] = await figures(sue, { weeks: 2 })
  const grown = (name: string) => (after?.[name] ?? 0) - (before?.[name] ?? 0)
  expect(['messages', 'lexicon', 'reviewed', 'violation', 'fine', 'open'].map(grown)).toEqual([
    1, 1, 1, 1, 0, 0,
  ])
  expect(after?.median_hours).toBeTypeOf('number')
  expect(others).toHaveLength(1)
})
