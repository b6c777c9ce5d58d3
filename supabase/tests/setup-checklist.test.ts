// The set-up list of a team's first days: done by what is true, item by item.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let admin: Person
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ firstName: 'Ada', isAdmin: true })
  // The team that a first admin finds: themselves alone.
  await team.sql('delete from auth.users where id <> $1', [admin.id])
  await team.sql('delete from private.chat_participants where user_id <> $1', [admin.id])
  await team.sql('delete from private.members where id <> $1', [admin.id])
})
afterAll(() => team?.close())

type Checklist = Record<string, unknown>

async function checklist(of = admin): Promise<Checklist> {
  const { data, error } = await call<Checklist[]>(of, 'setup_checklist')
  if (error) throw error
  return data?.[0] ?? {}
}

const doneItems = async () =>
  Object.entries(await checklist())
    .filter(([item, value]) => value === true && item !== 'is_put_away')
    .map(([item]) => item)

const confirm = (item: string, is_done: boolean, by = admin) =>
  call(by, 'confirm_setup_item', { item, is_done })

async function set(values: object) {
  const { error } = await admin.client.from('team_settings').update(values).eq('id', true)
  if (error) throw error
}

test('a fresh team has everything before it', async () => {
  expect(await checklist()).toEqual({
    welcome: false,
    vice_presidents: false,
    time_zone: false,
    meeting: false,
    new_rep_start: false,
    invitations: false,
    second_admin: false,
    mail: false,
    push: false,
    backup: false,
    confirmable: ['mail', 'backup'],
    is_put_away: false,
  })
})

test('content is done while an active item is there', async () => {
  const id = randomUUID()
  await admin.client.from('home_content').insert({ id, title: 'Welcome' })
  await admin.client.from('newrepstart_content').insert({ title: 'Order your kit' })
  await admin.client.from('schedule_content').insert({
    title: 'Kick-off',
    day_of_week: 'Monday',
    start_time: '19:00',
    end_time: '20:00',
  })
  expect(await doneItems()).toEqual(['welcome', 'meeting', 'new_rep_start'])
  await admin.client.from('home_content').update({ is_active: false }).eq('id', id)
  expect(await doneItems()).toEqual(['meeting', 'new_rep_start'])
  await admin.client.from('home_content').update({ is_active: true }).eq('id', id)
})

test('the time zone is done once somebody saves one, even the one the team started with', async () => {
  await set({ seen_by_enabled: false })
  expect((await checklist()).time_zone).toBe(false)
  await set({ time_zone: 'America/New_York' })
  expect((await checklist()).time_zone).toBe(true)
})

test('vice presidents, invitations and a second admin are done by having them', async () => {
  await call(admin, 'set_vice_president', { member_id: admin.id, is_vice_president: true })
  expect((await checklist()).vice_presidents).toBe(true)
  expect((await checklist()).invitations).toBe(false)
  await admin.client.from('join_links').insert({})
  expect((await checklist()).invitations).toBe(true)
  await team.sql('delete from public.join_links')
  expect((await checklist()).invitations).toBe(false)
  await team.sql(
    "insert into public.invitations (email, invited_by) values ('maya@example.com', $1)",
    [admin.id],
  )
  expect((await checklist()).invitations).toBe(true)
  await team.sql('delete from public.invitations')
  const second = await team.aMember()
  expect(await checklist()).toMatchObject({ invitations: true, second_admin: false })
  await admin.client.from('users').update({ role: 'admin' }).eq('id', second.id)
  expect((await checklist()).second_admin).toBe(true)
  await team.sql("update private.members set status = 'suspended' where id = $1", [second.id])
  expect((await checklist()).second_admin).toBe(false)
})

test('push is done once a worker reports a channel that works', async () => {
  const channels = [{ channel: 'web', is_on: true, detail: '', public_key: 'key' }]
  await call(team.service(), 'report_push_channels', { channels })
  expect((await checklist()).push).toBe(true)
})

test('mail and backup are done by an admin’s word, until a server reports', async () => {
  for (const item of ['mail', 'backup']) {
    await Promise.all([confirm(item, true), confirm(item, true)])
    expect((await checklist())[item]).toBe(true)
    await confirm(item, false)
    expect((await checklist())[item]).toBe(false)
    await confirm(item, true)
  }
  const report = (parts: object[]) => call(team.service(), 'report_system_state', { parts })
  await report([{ part: 'mail', is_on: false }])
  expect(await checklist()).toMatchObject({ mail: false, backup: true, confirmable: ['backup'] })
  await report([{ part: 'mail', is_on: true }])
  expect((await checklist()).mail).toBe(true)
  await report([{ part: 'mail', is_on: false }])
  await team.sql("update private.system_state set reported_at = now() - interval '3 days'")
  expect(await checklist()).toMatchObject({ mail: true, confirmable: ['mail', 'backup'] })
  expect((await report([{ part: 'weather', is_on: true }])).error?.message).toBe(
    'new row for relation "system_state" violates check constraint "Part must be mail, links or backup"',
  )
})

test('nothing else can be ticked off by hand', async () => {
  expect((await confirm('welcome', true)).error?.message).toBe('This item is done by doing it')
  expect((await confirm('time_zone', true)).error?.message).toBe('This item is done by doing it')
})

test('each admin puts the list away for themselves and fetches it again', async () => {
  const other = await team.aMember({ isAdmin: true })
  const put = (is_away: boolean) => call(admin, 'put_setup_away', { is_away })
  await Promise.all([put(true), put(true)])
  expect((await checklist()).is_put_away).toBe(true)
  expect((await checklist(other)).is_put_away).toBe(false)
  await put(false)
  expect((await checklist()).is_put_away).toBe(false)
})
