import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { untilBlocked } from 'backend/testing/until-blocked.ts'
import { ownConnections } from './own-connections.ts'
import { publishNotice } from './publish-notice.ts'
import { pushScene, type PushScene } from './push-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

type Notification = {
  kind: string
  id: string
  at: string
  chat_id: string | null
  is_unread: boolean
}

let team: Team
let push: PushScene
let dana: Person
let maya: Person
let theo: Person
const { aConnection, connectionOf, endConnections } = ownConnections(() => team)

beforeAll(async () => {
  team = await aTeam()
  push = pushScene(team)
  dana = await team.aMember({ isAdmin: true, firstName: 'Dana', lastName: 'Reyes' })
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
  theo = await team.aMember()
})
afterAll(async () => {
  await endConnections()
  await team.close()
})
beforeEach(async () => {
  await push.clear()
  await team.sql('delete from public.team_notices')
})

const publish = (more: Record<string, unknown> = {}) => publishNotice(dana, more)

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
        author: 'Dana Reyes',
      },
    ])
    expect((await call(maya, 'my_unacknowledged_notices')).data).toEqual([data![1]])
    const unread = async () => (await call<number>(maya, 'unread_notification_count')).data
    expect(await unread()).toBe(2)
    await maya.client.rpc('mark_chat_read', { chat_id: chat })
    await maya.client.rpc('acknowledge_notice', { notice_id: id })
    expect(await unread()).toBe(0)
    expect((await call(maya, 'my_unacknowledged_notices')).data).toEqual([])
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

  test('all of a page is marked as read at once; what came since is not, nothing is acknowledged and no chat read', async () => {
    const reader = await team.aMember({ isAdmin: true })
    const chat = await push.aChat([reader, theo])
    const kinds = async () =>
      Object.fromEntries(
        (await call<Notification[]>(reader, 'my_notifications')).data!.map(
          ({ kind, is_unread }) => [kind, is_unread],
        ),
      )
    await push.say(chat, theo, 'Can you?', [reader])
    await publish({ must_acknowledge: true })
    await team.sql(
      `insert into private.reports (reporter_id, member_id, reason, outcome, closed_at)
       values ($1, $2, 'spam', 'fine', now())`,
      [reader.id, theo.id],
    )
    const newcomer = await team.aMember()
    await team.sql("update private.members set status = 'waiting' where id = $1", [newcomer.id])
    const all = { mention: true, notice: true, report: true, newcomer: true }
    expect(await kinds()).toEqual(all)

    const { data } = await call<Notification[]>(reader, 'my_notifications')
    await push.say(chat, theo, 'Hello?', [reader])
    await call(reader, 'mark_notifications_read', {
      until: data![0]!.at,
      notice_ids: data!.map(({ id }) => id),
    })
    expect(await kinds()).toMatchObject({ notice: false, report: false, newcomer: false })
    expect((await call(reader, 'unread_notification_count')).data).toBe(1)
    await call(reader, 'mark_notifications_read', { until: 'infinity' })
    expect((await call(reader, 'unread_notification_count')).data).toBe(0)

    expect((await call<unknown[]>(reader, 'my_unacknowledged_notices')).data).toHaveLength(1)
    const chats = (await call<{ chat_id: string; unread_count: number }[]>(reader, 'chat_list'))
      .data!
    expect(chats.find(({ chat_id }) => chat_id === chat)).toMatchObject({ unread_count: 2 })
    await push.say(chat, theo, 'And now?', [reader])
    expect((await call(reader, 'unread_notification_count')).data).toBe(1)
    await team.sql("update private.members set status = 'removed' where id = $1", [newcomer.id])
  })

  test('a notice that is still being published, or is being reminded of, stays unread', async () => {
    const [reader, early] = [await team.aMember(), await aConnection()]
    const mark = (until: string, notice_ids: string[]) =>
      call(reader, 'mark_notifications_read', { until, notice_ids })
    const unread = async () =>
      (await call<Notification[]>(reader, 'my_notifications')).data!.filter((n) => n.is_unread)

    await early.query('begin')
    const [late] = (
      await early.query<{ id: string }>(
        "insert into public.team_notices (title, audience) values ('Late', 'all') returning id",
      )
    ).rows
    const seen = await publish({ must_acknowledge: true })
    const [newest] = await unread()
    await early.query('commit')
    await mark(newest!.at, [seen])
    expect((await unread()).map(({ id }) => id)).toEqual([late!.id])

    await mark('infinity', [late!.id])
    await team.sql(
      "update public.notice_receipts set opened_at = null, received_at = now() - interval '1 hour' where notice_id = $1",
      [seen],
    )
    const [listed] = await unread()
    await early.query('begin')
    await early.query(
      'update public.notice_receipts set reminded_at = clock_timestamp() where notice_id = $1 and user_id = $2',
      [seen, reader.id],
    )
    const marking = mark(listed!.at, [seen])
    await untilBlocked(team.sql)
    await early.query('commit')
    await marking
    expect((await unread()).map(({ id }) => id)).toEqual([seen])
  })

  test('two devices can mark the same notices at once, in different orders', async () => {
    const reader = await team.aMember()
    const [one, other] = [1, 2].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`)
    for (const id of [one, other])
      await team.sql(
        "insert into public.team_notices (id, title, audience) values ($1, 'News', 'all')",
        [id],
      )
    const [phone, laptop] = [await connectionOf(reader), await connectionOf(reader)]
    const show = (device: typeof phone, ids: unknown[]) =>
      device.query('select public.mark_notices_shown($1)', [ids])
    await phone.query('begin')
    await show(phone, [other])
    const both = show(laptop, [one, other])
    await untilBlocked(team.sql)
    await show(phone, [one])
    await phone.query('commit')
    await both
    const shown = 'select from public.notice_receipts where user_id = $1 and shown_at is not null'
    expect(await team.sql(shown, [reader.id])).toHaveLength(2)
  })

  test('an unread notice is counted, however many mentions were read since', async () => {
    const reader = await team.aMember()
    const chat = await push.aChat([reader, theo])
    await publish()
    await team.sql(
      `insert into public.chat_messages (chat_id, sender_id, message, mentions)
       select $1, $2, 'Again ' || each, array[$3::uuid] from generate_series(1, 101) each`,
      [chat, theo.id, reader.id],
    )
    const unread = async () => (await call<number>(reader, 'unread_notification_count')).data
    expect(await unread()).toBe(100)
    await reader.client.rpc('mark_chat_read', { chat_id: chat })
    expect(await unread()).toBe(1)
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
