import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { publishNotice } from './publish-notice.ts'
import { pushScene, type PushScene } from './push-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

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

const publish = (more: Record<string, unknown> = {}) => publishNotice(dana, more)

const mine = async (person: Person) => {
  const { data } = await person.client.from('team_notices').select('id')
  return (data as { id: string }[]).map(({ id }) => id)
}

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

  test('of two reminders at the same moment one is sent, and the other says so', async () => {
    const id = await publish({
      must_acknowledge: true,
      audience: 'members',
      audience_members: [maya.id, theo.id],
    })
    const first = new pg.Client({ connectionString: team.backend.superuserUrl })
    await first.connect()
    try {
      await first.query('begin')
      await first.query(
        'update public.notice_receipts set reminded_at = now() where notice_id = $1',
        [id],
      )
      const second = expect(
        dana.client.rpc('remind_notice', { notice_id: id }),
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
