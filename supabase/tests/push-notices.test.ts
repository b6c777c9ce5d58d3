import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pushScene, type PushScene } from './push-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

type Notification = { kind: string; id: string; chat_id: string | null }

let team: Team
let push: PushScene
let dana: Person
let maya: Person
let theo: Person

beforeAll(async () => {
  team = await aTeam()
  push = pushScene(team)
  dana = await team.aMember({ isAdmin: true })
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
  theo = await team.aMember()
})
afterAll(() => team.close())
beforeEach(async () => {
  await push.clear()
  await team.sql('delete from public.team_notices')
})

async function publish(more: Record<string, unknown> = {}): Promise<string> {
  const { data, error } = await dana.client
    .from('team_notices')
    .insert({ title: 'Kick-off at nine', body: 'In the big room', ...more } as never)
    .select('id')
    .single()
  expect(error).toBeNull()
  return (data as unknown as { id: string }).id
}

const mine = async (person: Person) => {
  const { data } = await person.client.from('team_notices').select('id')
  return (data as { id: string }[]).map(({ id }) => id)
}

describe('writing', () => {
  test('only admins write, change and withdraw notices', async () => {
    const id = await publish({ scheduled_for: '2099-01-01T00:00:00Z' })
    const notices = maya.client.from('team_notices')
    expect((await notices.insert({ title: 'Fake' })).error).toMatchObject({ code: '42501' })
    await notices.update({ title: 'Changed' }).eq('id', id)
    expect((await notices.delete().eq('id', id)).error).toMatchObject({ code: '42501' })
    const { data } = await dana.client.from('team_notices').select('title').eq('id', id).single()
    expect(data).toEqual({ title: 'Kick-off at nine' })
    expect((await team.anonymous().client.from('team_notices').select('id')).error).toMatchObject({
      code: '42501',
    })
  })

  test('a published notice can be withdrawn but not changed', async () => {
    const id = await publish()
    const notice = () => dana.client.from('team_notices')
    expect((await notice().update({ title: 'Other' }).eq('id', id)).error).toMatchObject({
      code: '42501',
    })
    expect(
      (await notice().update({ cancelled_at: new Date().toISOString() }).eq('id', id)).error,
    ).toBeNull()
    expect(await mine(maya)).toEqual([])
    const { data } = await call<Notification[]>(maya, 'my_notifications')
    expect(data).toEqual([])
  })

  test.each([
    { title: ' ' },
    { link: 'javascript:alert(1)' },
    { link: '//evil.test/x' },
    { audience: 'role' },
    { audience: 'chat' },
    { audience: 'members' },
    { audience: 'everyone' },
  ])('what makes no sense is refused: %j', async (wrong) => {
    const { error } = await dana.client
      .from('team_notices')
      .insert({ title: 'x', ...wrong } as never)
    expect(error).toMatchObject({ code: '23514' })
  })
})

describe('who gets it', () => {
  test('everyone, a role, a chat, or chosen members', async () => {
    const chat = await push.aChat([maya, dana])
    const all = await publish()
    const admins = await publish({ audience: 'role', audience_role: 'admin' })
    const inChat = await publish({ audience: 'chat', audience_chat_id: chat })
    const chosen = await publish({ audience: 'members', audience_members: [theo.id] })
    expect((await mine(maya)).sort()).toEqual([all, inChat].sort())
    expect((await mine(theo)).sort()).toEqual([all, chosen].sort())
    const { data } = await dana.client
      .from('notice_receipts')
      .select('user_id')
      .eq('notice_id', admins)
    expect((data as { user_id: string }[]).map(({ user_id }) => user_id)).toContain(dana.id)
    expect(data).toHaveLength(2)
  })

  test('it is pushed to their devices with its title and text', async () => {
    const phone = await push.aDevice(maya)
    await push.aDevice(theo)
    const id = await publish({ audience: 'members', audience_members: [maya.id] })
    expect(await push.claim()).toMatchObject([
      {
        token: phone.token,
        kind: 'notice',
        title: 'Kick-off at nine',
        body: 'In the big room',
        notice_id: id,
        link: '/notifications',
      },
    ])
  })

  test('a scheduled one has no recipients until it is due', async () => {
    await push.aDevice(maya)
    const id = await publish({ scheduled_for: new Date(Date.now() + 3_600_000).toISOString() })
    expect(await push.claim()).toEqual([])
    expect(await mine(maya)).toEqual([])
    await team.sql('alter table public.team_notices disable trigger user')
    await team.sql(
      "update public.team_notices set scheduled_for = now() - interval '1 second' where id = $1",
      [id],
    )
    await team.sql('alter table public.team_notices enable trigger user')
    expect(await push.claim()).toHaveLength(1)
    expect(await mine(maya)).toEqual([id])
    expect(await push.claim()).toEqual([])
  })

  test('a member who switched notices off gets no push but can still read it', async () => {
    await push.aDevice(maya)
    await maya.client.from('notification_settings').insert({ notices: false })
    const id = await publish()
    expect(await push.claim()).toEqual([])
    expect(await mine(maya)).toEqual([id])
    await team.sql('delete from public.notification_settings')
  })
})

describe('receipts', () => {
  test('shown, opened and acknowledged are counted per member', async () => {
    const id = await publish({
      must_acknowledge: true,
      audience: 'members',
      audience_members: [maya.id, theo.id],
    })
    await maya.client.rpc('mark_notices_shown', { notice_ids: [id] })
    await theo.client.rpc('mark_notice_opened', { notice_id: id })
    await maya.client.rpc('acknowledge_notice', { notice_id: id })
    const { data } = await call<object[]>(dana, 'notice_results', { notice_id: id })
    expect(data).toEqual([
      {
        recipients: 2,
        sent: 0,
        shown: 2,
        opened: 2,
        acknowledged: 1,
        failed: 0,
        uncertain: 0,
        waiting: 0,
      },
    ])
    const missing = await dana.client
      .from('notice_receipts')
      .select('user_id')
      .eq('notice_id', id)
      .is('acknowledged_at', null)
    expect(missing.data).toEqual([{ user_id: theo.id }])
  })

  test('admins list who has not acknowledged it by first name, page by page', async () => {
    const id = await publish({
      must_acknowledge: true,
      audience: 'members',
      audience_members: [maya.id, theo.id, dana.id],
    })
    await theo.client.rpc('acknowledge_notice', { notice_id: id })
    const page = async (skip: number) =>
      (await call<object[]>(dana, 'notice_unacknowledged', { notice_id: id, max_results: 1, skip }))
        .data
    const both = [...(await page(0))!, ...(await page(1))!] as { first_name: string }[]
    expect(both.map(({ first_name }) => first_name)).toEqual(
      both.map(({ first_name }) => first_name).sort(),
    )
    expect(both).toHaveLength(2)
    expect(await page(2)).toEqual([])
  })

  test('members see their own receipts and no results', async () => {
    const id = await publish()
    const { data } = await maya.client.from('notice_receipts').select('user_id')
    expect(data).toEqual([{ user_id: maya.id }])
    for (const call of [
      maya.client.rpc('notice_results', { notice_id: id }),
      maya.client.rpc('remind_notice', { notice_id: id }),
      maya.client.rpc('notice_unacknowledged', { notice_id: id }),
      maya.client.rpc('push_health'),
    ])
      expect((await call).error).toMatchObject({ code: '42501' })
    const forged = await maya.client
      .from('notice_receipts')
      .update({ acknowledged_at: new Date().toISOString() })
      .eq('user_id', theo.id)
    expect(forged.error).toMatchObject({ code: '42501' })
  })

  test('a reminder goes to those who have not acknowledged, only once for a double click', async () => {
    const phone = await push.aDevice(theo)
    await push.aDevice(maya)
    await team.sql("update public.push_channels set is_on = true where channel = 'fcm'")
    const id = await publish({
      must_acknowledge: true,
      audience: 'members',
      audience_members: [maya.id, theo.id],
    })
    for (const { id: delivery } of await push.claim())
      await push.settle({ id: delivery, attempt: 1, outcome: 'sent' })
    await maya.client.rpc('acknowledge_notice', { notice_id: id })
    // Opening is not acknowledging.
    await theo.client.rpc('mark_notice_opened', { notice_id: id })
    const remind = () => dana.client.rpc('remind_notice', { notice_id: id })
    expect((await remind()).data).toEqual([
      { reminded: 1, with_device: 1, with_mail: 0, reminded_just_now: 0 },
    ])
    expect((await remind()).data).toEqual([
      { reminded: 0, with_device: 0, with_mail: 0, reminded_just_now: 1 },
    ])
    expect((await push.claim()).map(({ token }) => token)).toEqual([phone.token])
  })

  test('a reminder without a device makes the notice unread again, on top of the page', async () => {
    const reminded = await publish({ must_acknowledge: true })
    const newer = await publish({ title: 'Parking' })
    for (const notice_id of [reminded, newer]) {
      await theo.client.rpc('mark_notice_opened', { notice_id })
    }
    const page = async () => (await call<object[]>(theo, 'my_notifications')).data
    expect(await page()).toMatchObject([
      { id: newer, is_unread: false },
      { id: reminded, is_unread: false },
    ])
    const { data } = await call<object[]>(dana, 'remind_notice', { notice_id: reminded })
    expect(data).toMatchObject([{ with_device: 0 }])
    expect(await page()).toMatchObject([
      { id: reminded, is_unread: true, reminded_at: expect.any(String) as string },
      { id: newer, is_unread: false },
    ])
    await theo.client.rpc('mark_notice_opened', { notice_id: reminded })
    expect(await page()).toMatchObject([{ id: reminded, is_unread: false }, { id: newer }])
  })

  test('what must be acknowledged reaches those who join the team, the role or the chat later', async () => {
    const chat = await push.aChat([maya, dana])
    const acknowledge = { must_acknowledge: true }
    const all = await publish(acknowledge)
    const admins = await publish({ ...acknowledge, audience: 'role', audience_role: 'admin' })
    const inChat = await publish({ ...acknowledge, audience: 'chat', audience_chat_id: chat })
    await publish({ ...acknowledge, audience: 'members', audience_members: [maya.id] })
    await publish()
    const newcomer = await team.aMember()
    expect(await mine(newcomer)).toEqual([all])
    await team.sql(
      'insert into private.chat_participants (chat_id, user_id, is_active) values ($1, $2, true)',
      [chat, newcomer.id],
    )
    expect((await mine(newcomer)).sort()).toEqual([all, inChat].sort())
    await team.sql("update private.members set role = 'admin' where id = $1", [newcomer.id])
    const { data } = await newcomer.client
      .from('notice_receipts')
      .select('notice_id')
      .eq('user_id', newcomer.id)
    expect((data as { notice_id: string }[]).map(({ notice_id }) => notice_id).sort()).toEqual(
      [all, inChat, admins].sort(),
    )
    await team.sql("update private.members set role = 'user' where id = $1", [newcomer.id])
  })
})

describe('the Notifications page', () => {
  test('lists notices and mentions, newest first, with what is unread', async () => {
    const chat = await push.aChat([maya, theo])
    const id = await publish({ must_acknowledge: true, link: '/schedule' })
    await push.say(chat, theo, 'Maya, can you?', [maya])
    await push.say(chat, theo, 'anyone?')
    const { data } = await call<Notification[]>(maya, 'my_notifications')
    expect(data).toMatchObject([
      { kind: 'mention', chat_id: chat, body: 'Maya, can you?', is_unread: true },
      {
        kind: 'notice',
        id,
        title: 'Kick-off at nine',
        link: '/schedule',
        is_unread: true,
        must_acknowledge: true,
      },
    ])
    const unread = async () => (await call<number>(maya, 'unread_notification_count')).data
    expect(await unread()).toBe(2)
    await maya.client.rpc('mark_chat_read', { chat_id: chat })
    await maya.client.rpc('acknowledge_notice', { notice_id: id })
    expect(await unread()).toBe(0)
  })

  test('every notice is reached page by page, also those published at the same moment', async () => {
    const reader = await team.aMember()
    await team.sql('alter table public.team_notices disable trigger user')
    await team.sql(
      `insert into public.team_notices (title, published_at) select 'Notice ' || each, now() from generate_series(1, 7) each`,
    )
    await team.sql('alter table public.team_notices enable trigger user')
    await team.sql(
      'insert into public.notice_receipts (notice_id, user_id, received_at) select id, $1, now() from public.team_notices',
      [reader.id],
    )
    const seen: string[] = []
    let last: { id: string; at: string } | undefined
    do {
      const { data } = await call<{ id: string; at: string }[]>(reader, 'my_notifications', {
        max_results: 3,
        ...(last && { before: last.at, before_id: last.id }),
      })
      seen.push(...data!.map(({ id }) => id))
      last = data!.at(-1)
    } while (last)
    expect(new Set(seen).size).toBe(7)
    expect(seen).toHaveLength(7)
  })

  test('does not show a mention in a chat the member left', async () => {
    const chat = await push.aChat([maya, theo])
    await push.say(chat, theo, 'Maya, a secret', [maya])
    await team.sql(
      'update private.chat_participants set is_active = false where chat_id = $1 and user_id = $2',
      [chat, maya.id],
    )
    const { data } = await call<Notification[]>(maya, 'my_notifications')
    expect(data?.filter(({ chat_id }) => chat_id === chat)).toEqual([])
  })
})
