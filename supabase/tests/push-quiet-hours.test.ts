import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pushScene, type PushScene } from './push-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

type Health = { channel: string; passed_quiet_hours: number }

let team: Team
let push: PushScene
let maya: Person
let theo: Person
let dana: Person
let chat: string

beforeAll(async () => {
  team = await aTeam()
  push = pushScene(team)
  maya = await team.aMember()
  dana = await team.aMember({ isAdmin: true })
})
afterAll(() => team.close())
beforeEach(async () => {
  await push.clear()
  theo = await team.aMember()
  chat = await push.aChat([maya, theo])
  await push.aDevice(theo)
})

/** Quiet hours from an hour ago until an hour from now. */
async function quietNow(more = ''): Promise<void> {
  await team.sql(
    `insert into public.notification_settings (user_id, quiet_from, quiet_to, time_zone)
     values ($1, (now() at time zone 'Asia/Tokyo' - interval '1 hour')::time,
       (now() at time zone 'Asia/Tokyo' + interval '1 hour')::time, 'Asia/Tokyo')`,
    [theo.id],
  )
  if (more)
    await team.sql(`update public.notification_settings set ${more} where user_id = $1`, [theo.id])
}

async function quietUntil(from: string, to: string, zone: string, at: string) {
  await team.sql(
    `insert into public.notification_settings (user_id, quiet_from, quiet_to, time_zone) values ($1, $2, $3, $4)
     on conflict (user_id) do update set quiet_from = $2, quiet_to = $3, time_zone = $4`,
    [theo.id, from, to, zone],
  )
  const [row] = await team.sql<{ until: Date | null }>(
    'select private.quiet_until($1, $2) as until',
    [theo.id, at],
  )
  return row?.until?.toISOString() ?? null
}

describe('when quiet hours are', () => {
  test.each([
    ['22:00', '07:00', 'America/New_York', '2026-11-21T03:30:00Z', '2026-11-21T12:00:00.000Z'],
    ['22:00', '07:00', 'America/New_York', '2026-11-21T11:59:00Z', '2026-11-21T12:00:00.000Z'],
    ['22:00', '07:00', 'America/New_York', '2026-11-21T12:00:00Z', null],
    ['22:00', '07:00', 'America/New_York', '2026-11-21T02:59:59Z', null],
    ['12:00', '13:00', 'Europe/Berlin', '2026-11-21T11:30:00Z', '2026-11-21T12:00:00.000Z'],
    ['12:00', '13:00', 'Europe/Berlin', '2026-11-21T12:30:00Z', null],
    // The night when daylight saving ends in New York is an hour longer.
    ['22:00', '07:00', 'America/New_York', '2026-11-01T03:00:00Z', '2026-11-01T12:00:00.000Z'],
  ])('%s to %s in %s, at %s: until %s', async (from, to, zone, at, until) => {
    expect(await quietUntil(from, to, zone, at)).toBe(until)
  })

  test('without a time zone of their own a member has the team’s', async () => {
    await team.sql("update public.team_settings set time_zone = 'America/Chicago'")
    await quietUntil('22:00', '07:00', 'UTC', '2026-11-21T05:00:00Z')
    await team.sql('update public.notification_settings set time_zone = null where user_id = $1', [
      theo.id,
    ])
    const [row] = await team.sql<{ until: Date }>(
      "select private.quiet_until($1, '2026-11-21T05:00:00Z') as until",
      [theo.id],
    )
    expect(row?.until.toISOString()).toBe('2026-11-21T13:00:00.000Z')
  })
})

describe('in quiet hours', () => {
  test('messages wait until they end, then become a single push', async () => {
    await quietNow()
    for (const text of ['one', 'two', 'three']) {
      await push.say(chat, maya, text)
      expect(await push.claim()).toEqual([])
    }
    const waiting = await team.sql<{ minutes: number }>(
      `select round(extract(epoch from due_at - now()) / 60)::int as minutes
       from private.push_deliveries where state = 'waiting'`,
    )
    expect(waiting).toEqual([{ minutes: 60 }])
    await team.sql('delete from public.notification_settings')
    await team.sql("update private.push_deliveries set due_at = now() where state = 'waiting'")
    expect((await push.claim()).map(({ body }) => body)).toEqual(['Pat Doe: three'])
  })

  test('messages read meanwhile are not pushed in the morning', async () => {
    await quietNow()
    await push.say(chat, maya, 'hello')
    await push.claim()
    await theo.client.rpc('mark_chat_read', { chat_id: chat })
    await team.sql('delete from public.notification_settings')
    await team.sql("update private.push_deliveries set due_at = now() where state = 'waiting'")
    expect(await push.claim()).toEqual([])
  })

  test('a mention is let through, and that is recorded', async () => {
    await quietNow()
    await push.say(chat, maya, 'Theo, the client is here', [theo])
    expect(await push.claim()).toHaveLength(1)
    expect(
      await team.sql('select passed_quiet_hours, is_pressing from private.push_deliveries'),
    ).toEqual([{ passed_quiet_hours: true, is_pressing: true }])
    await push.settle({ id: (await lastDelivery()).id, attempt: 1, outcome: 'sent' })
    const { data } = await call<Health[]>(dana, 'push_health')
    const fcm = data?.find(({ channel }) => channel === 'fcm')
    expect(fcm?.passed_quiet_hours).toBe(1)
  })

  test('a mention waits if the member chose so', async () => {
    await quietNow('mentions_pass_quiet = false')
    await push.say(chat, maya, 'Theo, the client is here', [theo])
    expect(await push.claim()).toEqual([])
  })

  test('an urgent notice is let through, an ordinary one waits', async () => {
    await quietNow()
    const notice = { audience: 'members', audience_members: [theo.id] }
    await dana.client.from('team_notices').insert({ ...notice, title: 'Office party' })
    expect(await push.claim()).toEqual([])
    await dana.client
      .from('team_notices')
      .insert({ ...notice, title: 'Office closed', is_urgent: true })
    expect((await push.claim()).map(({ title }) => title)).toEqual(['Office closed'])
  })
})

async function lastDelivery(): Promise<{ id: string }> {
  const [row] = await team.sql<{ id: string }>(
    'select id from private.push_deliveries order by id desc limit 1',
  )
  return row!
}
