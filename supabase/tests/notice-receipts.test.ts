import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { noticeScene } from './notice-scene.ts'
import { call } from './team.ts'

const scene = noticeScene()

/** The members on the team other than the author. */
async function countOthers(roles = ['user', 'admin']): Promise<number> {
  const [row] = await scene.team.sql<{ count: number }>(
    'select count(*)::int from private.members where is_active and id <> $1 and role = any ($2)',
    [scene.dana.id, roles],
  )
  return row!.count
}

describe('receipts', () => {
  test('shown, opened and acknowledged are counted per member', async () => {
    const id = await scene.publish({
      must_acknowledge: true,
      audience: 'members',
      audience_members: [scene.maya.id, scene.theo.id],
    })
    await scene.maya.client.rpc('mark_notices_shown', { notice_ids: [id] })
    await scene.theo.client.rpc('mark_notice_opened', { notice_id: id })
    await scene.maya.client.rpc('acknowledge_notice', { notice_id: id })
    const { data } = await call<object[]>(scene.dana, 'notice_results', { notice_id: id })
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
    const missing = await scene.dana.client
      .from('notice_receipts')
      .select('user_id')
      .eq('notice_id', id)
      .is('acknowledged_at', null)
    expect(missing.data).toEqual([{ user_id: scene.theo.id }])
  })

  test('admins list who has not acknowledged it by first name, page by page', async () => {
    const ben = await scene.team.aMember({ firstName: 'Ben' })
    const id = await scene.publish({
      must_acknowledge: true,
      audience: 'members',
      audience_members: [scene.maya.id, scene.theo.id, ben.id],
    })
    await scene.theo.client.rpc('acknowledge_notice', { notice_id: id })
    const page = async (skip: number) =>
      (
        await call<object[]>(scene.dana, 'notice_unacknowledged', {
          notice_id: id,
          max_results: 1,
          skip,
        })
      ).data
    const both = [...(await page(0))!, ...(await page(1))!] as { first_name: string }[]
    expect(both.map(({ first_name }) => first_name)).toEqual(
      both.map(({ first_name }) => first_name).sort(),
    )
    expect(both).toHaveLength(2)
    expect(await page(2)).toEqual([])
  })

  test('its author has read it, has nothing to acknowledge, and gets no push', async () => {
    await scene.push.aDevice(scene.dana)
    await scene.team.sql("update public.push_channels set is_on = true where channel = 'fcm'")
    const id = await scene.publish({ must_acknowledge: true })
    const news = await scene.publish()
    expect(await scene.push.claim()).toEqual([])
    const { data } = await call<object[]>(scene.dana, 'my_notifications')
    expect(data).toMatchObject([
      { id: news, is_unread: false, must_acknowledge: false, acknowledged_at: null },
      { id, is_unread: false, must_acknowledge: false, acknowledged_at: null },
    ])
    expect((await call(scene.dana, 'my_unacknowledged_notices')).data).toEqual([])
    const missing = await call<{ id: string }[]>(scene.dana, 'notice_unacknowledged', {
      notice_id: id,
    })
    expect(missing.data?.map((person) => person.id)).not.toContain(scene.dana.id)
    const results = await call<{ recipients: number; opened: number }[]>(
      scene.dana,
      'notice_results',
      { notice_id: id },
    )
    const others = await countOthers()
    expect(results.data).toMatchObject([{ recipients: others, opened: 0, acknowledged: 0 }])
    expect((await call(scene.dana, 'unread_notification_count')).data).toBe(0)
  })

  test('an admin learns to how many others it would go before it does', async () => {
    const asked = async (more: Record<string, unknown>) =>
      (await call<number>(scene.dana, 'count_notice_recipients', { audience: 'all', ...more })).data
    expect(await asked({})).toBe(await countOthers())
    const chat = await scene.push.aChat([scene.maya, scene.theo])
    const audiences = [
      [{ audience: 'role', audience_role: 'admin' }, await countOthers(['admin'])],
      [{ audience: 'role', audience_role: 'user' }, await countOthers(['user'])],
      [{ audience: 'members', audience_members: [scene.maya.id, scene.dana.id] }, 1],
      [{ audience: 'chat', audience_chat_id: chat }, 2],
    ] as const
    for (const [audience, count] of audiences) expect(await asked(audience)).toBe(count)
    const { error } = await scene.maya.client.rpc('count_notice_recipients', { audience: 'all' })
    expect(error).toMatchObject({ code: '42501' })
  })

  test('an author who joins its audience later need not acknowledge it either', async () => {
    const id = await scene.publish({
      must_acknowledge: true,
      audience: 'role',
      audience_role: 'user',
    })
    await scene.team.sql("update private.members set role = 'user' where id = $1", [scene.dana.id])
    const { data } = await call<object[]>(scene.dana, 'my_notifications')
    await scene.team.sql("update private.members set role = 'admin' where id = $1", [scene.dana.id])
    expect(data).toMatchObject([{ id, is_unread: false, must_acknowledge: false }])
  })

  test('members see their own receipts and no results', async () => {
    const id = await scene.publish()
    const { data } = await scene.maya.client.from('notice_receipts').select('user_id')
    expect(data).toEqual([{ user_id: scene.maya.id }])
    for (const call of [
      scene.maya.client.rpc('notice_results', { notice_id: id }),
      scene.maya.client.rpc('remind_notice', { notice_id: id }),
      scene.maya.client.rpc('notice_unacknowledged', { notice_id: id }),
      scene.maya.client.rpc('push_health'),
    ])
      expect((await call).error).toMatchObject({ code: '42501' })
    const forged = await scene.maya.client
      .from('notice_receipts')
      .update({ acknowledged_at: new Date().toISOString() })
      .eq('user_id', scene.theo.id)
    expect(forged.error).toMatchObject({ code: '42501' })
  })

  test('a reminder goes to those who have not acknowledged, only once for a double click', async () => {
    const phone = await scene.push.aDevice(scene.theo)
    await scene.push.aDevice(scene.maya)
    await scene.team.sql("update public.push_channels set is_on = true where channel = 'fcm'")
    const id = await scene.publish({
      must_acknowledge: true,
      audience: 'members',
      audience_members: [scene.maya.id, scene.theo.id],
    })
    for (const { id: delivery } of await scene.push.claim())
      await scene.push.settle({ id: delivery, attempt: 1, outcome: 'sent' })
    await scene.maya.client.rpc('acknowledge_notice', { notice_id: id })
    // Opening is not acknowledging.
    await scene.theo.client.rpc('mark_notice_opened', { notice_id: id })
    const remind = () => scene.dana.client.rpc('remind_notice', { notice_id: id })
    expect((await remind()).data).toEqual([
      { reminded: 1, with_device: 1, with_mail: 0, reminded_just_now: 0 },
    ])
    expect((await remind()).data).toEqual([
      { reminded: 0, with_device: 0, with_mail: 0, reminded_just_now: 1 },
    ])
    expect((await scene.push.claim()).map(({ token }) => token)).toEqual([phone.token])
  })

  test('of two reminders at the same moment one is sent, and the other says so', async () => {
    const id = await scene.publish({
      must_acknowledge: true,
      audience: 'members',
      audience_members: [scene.maya.id, scene.theo.id],
    })
    const first = new pg.Client({ connectionString: scene.team.backend.superuserUrl })
    await first.connect()
    try {
      await first.query('begin')
      await first.query(
        'update public.notice_receipts set reminded_at = now() where notice_id = $1',
        [id],
      )
      const second = expect(
        scene.dana.client.rpc('remind_notice', { notice_id: id }),
      ).resolves.toMatchObject({ data: [{ reminded: 0, reminded_just_now: 2 }] })
      await vi.waitFor(async () => {
        const { rowCount } = await first.query('select from pg_locks where not granted')
        expect(rowCount).toBe(1)
      })
      await first.query('commit')
      await second
    } finally {
      await first.end()
    }
  })

  test('a reminder without a device makes the notice unread again, on top of the page', async () => {
    const reminded = await scene.publish({ must_acknowledge: true })
    const newer = await scene.publish({ title: 'Parking' })
    for (const notice_id of [reminded, newer]) {
      await scene.theo.client.rpc('mark_notice_opened', { notice_id })
    }
    const page = async () => (await call<object[]>(scene.theo, 'my_notifications')).data
    expect(await page()).toMatchObject([
      { id: newer, is_unread: false },
      { id: reminded, is_unread: false },
    ])
    const { data } = await call<object[]>(scene.dana, 'remind_notice', { notice_id: reminded })
    expect(data).toMatchObject([{ with_device: 0 }])
    expect(await page()).toMatchObject([
      { id: reminded, is_unread: true, reminded_at: expect.any(String) as string },
      { id: newer, is_unread: false },
    ])
    await scene.theo.client.rpc('mark_notice_opened', { notice_id: reminded })
    expect(await page()).toMatchObject([{ id: reminded, is_unread: false }, { id: newer }])
  })

  test('what must be acknowledged reaches those who join the team, the role or the chat later', async () => {
    const chat = await scene.push.aChat([scene.maya, scene.dana])
    const acknowledge = { must_acknowledge: true }
    const all = await scene.publish(acknowledge)
    const admins = await scene.publish({ ...acknowledge, audience: 'role', audience_role: 'admin' })
    const inChat = await scene.publish({ ...acknowledge, audience: 'chat', audience_chat_id: chat })
    await scene.publish({ ...acknowledge, audience: 'members', audience_members: [scene.maya.id] })
    await scene.publish()
    const newcomer = await scene.team.aMember()
    expect(await scene.readBy(newcomer)).toEqual([all])
    await scene.team.sql(
      'insert into private.chat_participants (chat_id, user_id, is_active) values ($1, $2, true)',
      [chat, newcomer.id],
    )
    expect((await scene.readBy(newcomer)).sort()).toEqual([all, inChat].sort())
    await scene.team.sql("update private.members set role = 'admin' where id = $1", [newcomer.id])
    const { data } = await newcomer.client
      .from('notice_receipts')
      .select('notice_id')
      .eq('user_id', newcomer.id)
    expect((data as { notice_id: string }[]).map(({ notice_id }) => notice_id).sort()).toEqual(
      [all, inChat, admins].sort(),
    )
    await scene.team.sql("update private.members set role = 'user' where id = $1", [newcomer.id])
  })
})
