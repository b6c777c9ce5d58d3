// Reporting a message or a person: who may, how often, and what the reporter learns.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGroup, recordedBy, recordsOf, send } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let maya: Person
let theo: Person
let chatId: string

beforeAll(async () => {
  team = await aTeam()
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
  theo = await team.aMember({ firstName: 'Theo', lastName: 'Brandt' })
  chatId = await aGroup(theo, [maya, await team.aMember()])
})
afterAll(() => team?.close())

type Report = {
  id: string
  member_id: string
  member_name: string
  message: string | null
  note: string
  outcome: string | null
  is_unread: boolean
}

const reportMessage = (by: Person, message_id: string, more: Record<string, unknown> = {}) =>
  call<string>(by, 'report_message', { message_id, reason: 'spam', ...more })
const reportMember = (by: Person, member_id: string, reason = 'harassment') =>
  call<string>(by, 'report_member', { member_id, reason })
const reportsOf = async (person: Person) => (await call<Report[]>(person, 'my_reports')).data ?? []
const decide = (id: string | null, outcome: string) =>
  team.sql('update private.reports set outcome = $2, closed_at = now() where id = $1', [
    id,
    outcome,
  ])

describe('a message', () => {
  test('is reported with a reason and a note, and its author is who is reported', async () => {
    const messageId = await send(theo, 'Guaranteed 12 %', chatId)
    const { data: id } = await reportMessage(maya, messageId, {
      reason: 'misleading_claims',
      note: '  He promised it.  ',
    })
    expect(await reportsOf(maya)).toMatchObject([
      {
        id,
        member_id: theo.id,
        member_name: 'Theo Brandt',
        message: 'Guaranteed 12 %',
        note: 'He promised it.',
        outcome: null,
        is_unread: false,
      },
    ])
  })

  test('that its author deletes can still be reported by who saw it; its text is shown no more', async () => {
    const messageId = await send(theo, 'Gone soon', chatId)
    await theo.client.from('chat_messages').update({ is_deleted: true }).eq('id', messageId)
    const { data: id } = await reportMessage(maya, messageId)
    expect((await reportsOf(maya)).find((each) => each.id === id)?.message).toBeNull()
  })

  test('of a chat that the caller is not in is refused as if there were none', async () => {
    const outsider = await team.aMember()
    const messageId = await send(theo, 'Inside', chatId)
    const foreign = await reportMessage(outsider, messageId)
    const missing = await reportMessage(outsider, randomUUID())
    expect(foreign.error).toMatchObject({ code: 'PT404', message: 'There is no such message' })
    expect(foreign.error).toEqual(missing.error)
  })
})

test('the same thing is reported once while nobody has decided, also by two taps at once', async () => {
  const messageId = await send(theo, 'Buy now', chatId)
  const taps = await Promise.all([1, 2, 3].map(() => reportMessage(maya, messageId)))
  expect(new Set(taps.map(({ data }) => data)).size).toBe(1)
  const id = taps[0]?.data ?? null
  await decide(id, 'fine')
  expect((await reportMessage(maya, messageId)).data).not.toBe(id)
})

test('sent twice with the same id it is one report, also when somebody has decided between', async () => {
  const messageId = await send(theo, 'Once', chatId)
  const report_id = randomUUID()
  const { data } = await reportMessage(maya, messageId, { report_id })
  expect(data).toBe(report_id)
  await decide(report_id, 'fine')
  expect((await reportMessage(maya, messageId, { report_id })).data).toBe(report_id)
  expect((await reportsOf(maya)).filter(({ id }) => id === report_id)).toHaveLength(1)
  const other = await team.aMember()
  for (const taken of [
    await reportMessage(maya, await send(theo, 'Another', chatId), { report_id }),
    await call(other, 'report_member', { member_id: theo.id, reason: 'spam', report_id }),
  ])
    expect(taken.error).toMatchObject({
      code: 'PT409',
      message: 'This was sent before, for something else',
    })
})

test('a person and their message are two things', async () => {
  const messageId = await send(theo, 'Hm', chatId)
  const [about, person] = [await reportMessage(maya, messageId), await reportMember(maya, theo.id)]
  expect(about.data).not.toBe(person.data)
  expect((await reportMember(maya, theo.id)).data).toBe(person.data)
})

test('nobody reports themselves, who never was on the team, or for a reason that is none', async () => {
  const waiting = randomUUID()
  await team.sql(
    `insert into private.members (id, email, first_name, status, status_changed_at)
     values ($1, 'nell@example.com', 'Nell', 'waiting', now())`,
    [waiting],
  )
  expect((await reportMember(maya, maya.id)).error?.message).toBe('You cannot report yourself')
  expect((await reportMember(maya, waiting)).error?.code).toBe('PT404')
  const stranger = await team.aMember()
  const refused = await reportMember(maya, stranger.id, 'because')
  expect(refused.error?.code).toBe('23514')
  expect(JSON.stringify(refused.error)).not.toContain(stranger.id)
  const without = await call(maya, 'report_member', { member_id: stranger.id, reason: null })
  expect(without.error?.message).toContain('Choose one of the reasons')
  const long = await call(maya, 'report_member', {
    member_id: stranger.id,
    reason: 'other',
    note: 'x'.repeat(1001),
  })
  expect(long.error?.message).toContain('Note is at most 1000 characters')
})

test.each(['suspended', 'removed'])(
  'who is %s reports nothing and reads no report',
  async (status) => {
    const former = await team.aMember()
    await reportMember(former, theo.id)
    await team.sql('update private.members set status = $2 where id = $1', [former.id, status])
    expect((await reportMember(former, maya.id)).error?.code).toBe('PT404')
    expect(await reportsOf(former)).toEqual([])
  },
)

test('a member makes at most 20 reports a day', async () => {
  const eager = await team.aMember()
  await team.sql(
    `insert into private.reports (reporter_id, member_id, message_id, reason)
     select $1, $2, gen_random_uuid(), 'spam' from generate_series(1, 20)`,
    [eager.id, theo.id],
  )
  expect((await reportMember(eager, maya.id)).error).toMatchObject({
    code: 'PT429',
    message: 'Too many reports: at most 20 a day',
  })
})

test('the reporter sees what became of it, once as news; nobody else does', async () => {
  const reporter = await team.aMember()
  const { data: id } = await reportMember(reporter, theo.id)
  await decide(id, 'follow_up')
  expect(await reportsOf(reporter)).toMatchObject([{ id, outcome: 'follow_up', is_unread: true }])
  await call(reporter, 'mark_reports_seen')
  expect(await reportsOf(reporter)).toMatchObject([{ id, is_unread: false }])
  expect(await reportsOf(theo)).toEqual([])
})

test('a report and its decision are archived', async () => {
  const reporter = await team.aMember()
  const messageId = await send(theo, 'No risk at all', chatId)
  const other = await aGroup(theo, [reporter, maya])
  const inOther = await send(theo, 'No risk', other)
  expect((await reportMessage(reporter, messageId)).error?.code).toBe('PT404')
  const [made] = await recordedBy(team, () => reportMessage(reporter, inOther, { note: 'See' }))
  expect(made).toMatchObject({
    kind: 'report.made',
    actor_id: reporter.id,
    chat_id: other,
    member_id: theo.id,
    audience: 'admins',
    content: { message_id: inOther, reason: 'spam', note: 'See', member: { name: 'Theo Brandt' } },
  })
  await decide(made?.subject_id ?? null, 'violation')
  const kinds = (await recordsOf(team, made?.subject_id ?? '')).map(({ kind }) => kind)
  expect(kinds).toEqual(['report.made', 'report.closed'])
})
