// The figures of the admin dashboard: what they count, and what they cost in a team of 10,000.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bestTime } from './best-time.ts'
import { pagesTouched } from './pages-touched.ts'
import { publishNotice } from './publish-notice.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let admin: Person
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ firstName: 'Ada', isAdmin: true })
})
afterAll(() => team?.close())

type Figures = Record<string, unknown>

async function figures(): Promise<Figures> {
  const { data, error } = await call<Figures[]>(admin, 'admin_dashboard')
  if (error) throw error
  return data?.[0] ?? {}
}

async function aMemberSince(days: number, traits = {}): Promise<Person> {
  const member = await team.aMember(traits)
  await team.sql(
    "update private.members set admitted_at = now() - $2 * interval '1 day' where id = $1",
    [member.id, days],
  )
  return member
}

/** A step of New Rep Start, ticked by each member so many days ago. */
async function aStep(ticks: [Person, number][] = []): Promise<string> {
  const [step] = await team.sql<{ id: string }>(
    "insert into public.newrepstart_content (title) values ('Step') returning id",
  )
  const id = step?.id ?? ''
  for (const [{ id: user_id }, days] of ticks)
    await team.sql(
      `insert into public.onboarding_progress (user_id, item_id, done_at)
       values ($1, $2, now() - $3 * interval '1 day')`,
      [user_id, id, days],
    )
  return id
}

test('invitations that were not delivered count until they are sent again or taken back', async () => {
  const [sent, lost] = await team.sql<{ id: string }>(
    `insert into public.invitations (email, invited_by)
     select n || '@elsewhere.example', $1 from generate_series(1, 2) n returning id`,
    [admin.id],
  )
  const undelivered = async () => (await figures()).undelivered_invitations
  expect(await undelivered()).toBe(0)
  await team.sql('update public.invitations set bounced_at = now()')
  expect(await undelivered()).toBe(2)
  await team.sql('update public.invitations set bounced_at = null where id = $1', [sent?.id])
  await call(admin, 'revoke_invitations', { invitation_ids: [lost?.id] })
  expect(await undelivered()).toBe(0)
})

test('new members count for a week', async () => {
  await team.sql("update private.members set admitted_at = now() - interval '1 year'")
  await aMemberSince(6)
  await aMemberSince(8)
  const left = await aMemberSince(1)
  expect((await figures()).new_this_week).toBe(2)
  await team.sql("update private.members set status = 'removed' where id = $1", [left.id])
  expect((await figures()).new_this_week).toBe(1)
  await team.sql("update private.members set admitted_at = now() - interval '1 year'")
})

test('who joined 7 to 90 days ago, has steps left and did none for a week is stuck in New Rep Start', async () => {
  expect((await figures()).stuck).toBe(0)
  const [early, fresh, busy, done, veteran, boss, leader] = [
    await aMemberSince(20, { firstName: 'Early' }),
    await aMemberSince(6),
    await aMemberSince(20),
    await aMemberSince(20),
    await aMemberSince(91),
    await aMemberSince(20, { isAdmin: true }),
    await aMemberSince(20),
  ]
  await call(admin, 'set_vice_president', { member_id: leader.id, is_vice_president: true })
  await aStep([
    [early, 15],
    [busy, 3],
    [done, 15],
  ])
  const second = await aStep([[done, 15]])
  expect((await figures()).stuck).toBe(1)
  await team.sql('update public.newrepstart_content set is_active = false where id = $1', [second])
  expect((await figures()).stuck).toBe(0)
  await team.sql('update public.newrepstart_content set is_active = true')
  expect((await figures()).stuck).toBe(1)
  await early.client.from('onboarding_progress').insert({ item_id: second } as never)
  expect((await figures()).stuck).toBe(0)
  for (const { id } of [fresh, veteran, boss]) expect(id).toBeTruthy()
})

test('a notice counts until every active member has acknowledged it', async () => {
  const [maya, theo] = [await team.aMember(), await team.aMember()]
  await publishNotice(admin)
  const id = await publishNotice(admin, {
    must_acknowledge: true,
    audience: 'members',
    audience_members: [maya.id, theo.id],
  })
  expect((await figures()).unacknowledged_notices).toBe(1)
  await call(maya, 'acknowledge_notice', { notice_id: id })
  expect((await figures()).unacknowledged_notices).toBe(1)
  await team.sql("update private.members set status = 'suspended' where id = $1", [theo.id])
  expect((await figures()).unacknowledged_notices).toBe(0)
  await team.sql("update private.members set status = 'active' where id = $1", [theo.id])
  await admin.client
    .from('team_notices')
    .update({ cancelled_at: new Date().toISOString() })
    .eq('id', id)
  expect((await figures()).unacknowledged_notices).toBe(0)
})

test.each([
  // It is Sunday evening in New York and Monday morning in Tokyo.
  ['America/New_York', '2026-03-08T23:00:00Z', 'Sunday', '18:00', '20:00', '2026-03-08T22:00:00Z'],
  ['America/New_York', '2026-03-08T23:00:00Z', 'Sunday', '17:00', '18:30', '2026-03-15T21:00:00Z'],
  ['America/New_York', '2026-03-07T23:00:00Z', 'Sunday', '18:00', '20:00', '2026-03-08T22:00:00Z'],
  ['Asia/Tokyo', '2026-03-08T23:00:00Z', 'Monday', '09:00', '10:00', '2026-03-09T00:00:00Z'],
  ['America/New_York', '2026-10-31T12:00:00Z', 'Friday', '19:00', '20:00', '2026-11-07T00:00:00Z'],
])(
  'in %s at %s, a meeting each %s from %s to %s is next at %s',
  async (zone, now, day, from, to, next) => {
    await team.sql('delete from public.schedule_content')
    await team.sql('update public.team_settings set time_zone = $1', [zone])
    await team.sql(
      `insert into public.schedule_content (title, day_of_week, start_time, end_time) values ('Meeting', $1, $2, $3)`,
      [day, from, to],
    )
    const [meeting] = await team.sql<{ starts_at: Date }>(
      'select * from private.next_meeting($1::timestamptz)',
      [now],
    )
    expect(meeting?.starts_at.toISOString().replace('.000', '')).toBe(next)
  },
)

test('without a meeting there is none', async () => {
  await team.sql('delete from public.schedule_content')
  expect(await figures()).toMatchObject({ next_meeting_title: null, next_meeting_at: null })
})

test('what needs attention of the system is counted as its page lists it', async () => {
  const problems = async () => {
    const { data } = await call<{ state: string }[]>(admin, 'system_status')
    return data?.filter(({ state }) => ['attention', 'wrong'].includes(state)).length
  }
  const before = (await figures()).system_problems as number
  expect(before).toBe(await problems())
  await team.sql(
    `with entry as (insert into private.push_outbox (kind, device_id) values ('test', gen_random_uuid()) returning id),
       device as (
         insert into public.push_devices (user_id, token, platform, channel) values ($1, 'a-token', 'ios', 'apns') returning id
       )
     insert into private.push_deliveries (outbox_id, user_id, device_id, channel, collapse_key, due_at, state)
     select entry.id, $1, device.id, 'apns', 'test', now() - interval '1 hour', 'waiting' from entry, device`,
    [admin.id],
  )
  // The channel is off, and what waits for it is late.
  expect(await figures()).toMatchObject({
    system_problems: before + 2,
    system_wrong: expect.arrayContaining(['push_queue']) as string[],
  })
  expect(await problems()).toBe(before + 2)
})

test('in a team of 10,000 the figures read little, however long its history', async () => {
  for (const table of ['private.members', 'public.notice_receipts', 'public.onboarding_progress'])
    await team.sql(`alter table ${table} disable trigger user`)
  await team.sql(
    'alter table public.onboarding_progress drop constraint onboarding_progress_user_id_fkey',
  )
  // 720 of them joined within three months.
  await team.sql(
    `insert into private.members (id, first_name, email, admitted_at)
     select gen_random_uuid(), 'Person' || n, 'person' || n || '@example.com', now() - n * interval '3 hours'
     from generate_series(1, 10000) n`,
  )
  for (let n = 0; n < 12; n++) await aStep()
  await team.sql(
    `insert into public.onboarding_progress (user_id, item_id, done_at)
     select m.id, i.id, m.admitted_at + interval '3 days'
     from private.members m, public.newrepstart_content i where m.email < 'person9' on conflict do nothing`,
  )
  const pages = async (notices: number) => {
    await team.sql(
      `with written as (
         insert into public.team_notices (title, must_acknowledge, published_at, created_by, scheduled_for)
         select 'Notice', true, now() - n * interval '12 hours', $2, now() + interval '1 year'
         from generate_series(1, $1::int) n returning id
       )
       insert into public.notice_receipts (notice_id, user_id, acknowledged_at)
       select w.id, m.id, now() from written w, (select id from private.members limit 500) m`,
      [notices, admin.id],
    )
    await team.sql(
      'analyze private.members, public.onboarding_progress, public.team_notices, public.notice_receipts',
    )
    return pagesTouched(team, admin, 'select * from public.admin_dashboard()')
  }
  const short = await pages(50)
  expect(short).toBeLessThan(5000)
  expect(await pages(450)).toBeLessThan(short * 1.2)
  expect(await bestTime(team, admin, 'select * from public.admin_dashboard()')).toBeLessThan(50)
}, 120_000)
