// In which order the queue comes, how many items wait for whom, and who is notified that it changed.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { noSample, queue, said, versionOf } from './review-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let sue: Person
let sam: Person
let mel: Person
beforeAll(async () => {
  team = await aTeam()
  await noSample(team)
  sue = await team.aMember({ firstName: 'Sue', canSupervise: true })
  sam = await team.aMember({ firstName: 'Sam', canSupervise: true })
  mel = await team.aMember({ firstName: 'Mel' })
})
afterAll(() => team?.close())

const anItem = async (source: string, minutes: number) => {
  const [row] = await team.sql<{ id: string }>(
    `insert into private.review_items (source, member_id, message_id, occurred_at, created_at)
     values ($1, $2, gen_random_uuid(), now(), '2026-03-01'::timestamptz + $3 * interval '1 minute') returning id`,
    [source, mel.id, minutes],
  )
  return row?.id ?? ''
}
const waiting = async (person: Person) => (await call<number>(person, 'reviews_waiting')).data
const empty = () =>
  team.sql(
    "update private.review_items set outcome = 'fine', closed_at = now() where closed_at is null",
  )

/** To whom it was published since the last call that the queue changed. */
async function notified(): Promise<string[]> {
  const rows = await team.sql<{ topic: string }>(
    "select topic from realtime.messages where topic like 'supervisor:%' order by topic",
  )
  await team.sql('delete from realtime.messages')
  return rows.map(({ topic }) => topic)
}
const topicOf = ({ id }: Person) => `supervisor:${id}`

test('what members report comes first, then the lexicon, then the sample; the oldest first, page by page', async () => {
  await empty()
  const order = [
    ['report', 4],
    ['report', 8],
    ['lexicon', 2],
    ['lexicon', 6],
    ['lexicon', 7],
    ['sample', 1],
    ['sample', 3],
  ] as const
  const ids: string[] = []
  for (const [source, minutes] of [...order].reverse()) ids.unshift(await anItem(source, minutes))
  for (const size of [1, 2, 3, 50]) {
    const found: string[] = []
    let after = {}
    for (;;) {
      const page = (await queue(sam, { ...after, max_results: size })) as unknown as {
        id: string
        created_at: string
      }[]
      found.push(...page.map(({ id }) => id))
      const last = page.at(-1)
      if (!last) break
      after = { after_time: last.created_at, after_id: last.id }
    }
    expect(found).toEqual(ids)
  }
  const lexicon = await queue(sam, { of_source: 'lexicon' })
  expect(lexicon.map(({ id }) => id)).toEqual(ids.slice(2, 5))
})

test('a page goes on after its last item, also if that was decided meanwhile', async () => {
  await empty()
  const [first, second] = [await anItem('report', 1), await anItem('report', 2)]
  const [shown] = (await queue(sam, { max_results: 1 })) as unknown as { created_at: string }[]
  await call(sue, 'decide_review_item', {
    item_id: first,
    outcome: 'fine',
    note: '',
    if_version: await versionOf(team, first),
  })
  const next = await queue(sam, { after_time: shown?.created_at, after_id: first })
  expect(next.map(({ id }) => id)).toEqual([second])
})

test('what is given to nobody or to oneself waits; what oneself wrote or reported, or others have, does not', async () => {
  await empty()
  expect(await waiting(sue)).toBe(0)
  const mine = await anItem('lexicon', 1)
  await anItem('sample', 2)
  expect([await waiting(sue), await waiting(sam)]).toEqual([2, 2])
  await team.sql('update private.review_items set assigned_to = $2 where id = $1', [mine, sam.id])
  expect([await waiting(sue), await waiting(sam)]).toEqual([1, 2])
  await call(sam, 'report_member', { member_id: sue.id, reason: 'spam', note: '' })
  expect([await waiting(sue), await waiting(sam)]).toEqual([1, 2])
})

test('no more than 100 are counted', async () => {
  await empty()
  await team.sql(
    `insert into private.review_items (source, member_id, message_id, occurred_at)
     select 'sample', $1, gen_random_uuid(), now() from generate_series(1, 150)`,
    [mel.id],
  )
  expect(await waiting(sue)).toBe(100)
  await empty()
})

test('who does not supervise cannot read how much waits', async () => {
  const admin = await team.aMember({ isAdmin: true })
  for (const person of [mel, admin])
    expect((await call(person, 'reviews_waiting')).error?.message).toBe('Only supervisors see this')
})

test('each change is published once to each supervisor, and never to whom it is about or who reported it', async () => {
  await notified()
  await said(team, mel, 'Guaranteed returns')
  expect(await notified()).toEqual([topicOf(sue), topicOf(sam)].sort())
  const [own] = await said(team, sue, 'Guaranteed returns')
  expect(await notified()).toEqual([topicOf(sam)])
  await call(sam, 'decide_review_item', {
    item_id: own?.id,
    outcome: 'fine',
    note: '',
    if_version: own?.version,
  })
  expect(await notified()).toEqual([topicOf(sam)])
  await call(mel, 'report_member', { member_id: sue.id, reason: 'spam', note: '' })
  expect(await notified()).toEqual([topicOf(sam)])
  await call(sue, 'report_member', { member_id: mel.id, reason: 'spam', note: '' })
  expect(await notified()).toEqual([topicOf(sam)])
})

test('what is published names nobody', async () => {
  await notified()
  await said(team, mel, 'Guaranteed returns')
  const rows = await team.sql<{ event: string; payload: { table: string; id?: string } }>(
    "select event, payload - 'id' as payload from realtime.messages where topic like 'supervisor:%'",
  )
  expect(rows).not.toEqual([])
  for (const row of rows)
    expect(row).toEqual({ event: 'content_changed', payload: { table: 'review_items' } })
})

test('a supervisor receives changes of the queue until the right is taken', async () => {
  const former = await team.aMember({ canSupervise: true })
  const received: unknown[] = []
  const channel = former.client.channel(topicOf(former), { config: { private: true } })
  channel.on('broadcast', { event: 'content_changed' }, ({ payload }) => received.push(payload))
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) =>
      status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED
        ? resolve()
        : reject(error ?? new Error(status)),
    )
  })
  await said(team, mel, 'Guaranteed returns')
  await vi.waitFor(() => expect(received).toMatchObject([{ table: 'review_items' }]))
  await team.sql('update private.members set can_supervise = false where id = $1', [former.id])
  await vi.waitFor(() => expect(channel.state).toBe('closed'))
})

test('what waits for somebody who no longer supervises waits for all', async () => {
  await empty()
  const sid = await team.aMember({ firstName: 'Sid', canSupervise: true })
  const id = await anItem('report', 1)
  await team.sql('update private.review_items set assigned_to = $1 where id = $2', [sid.id, id])
  expect([await waiting(sue), await waiting(sid)]).toEqual([0, 1])
  await team.sql('update private.members set can_supervise = false where id = $1', [sid.id])
  expect(await waiting(sue)).toBe(1)
})
