import { describe, expect, test } from 'vitest'
import { noticeScene } from './notice-scene.ts'
import { call } from './team.ts'

type Notification = { kind: string; id: string; chat_id: string | null }

const scene = noticeScene()

describe('writing', () => {
  test('only admins write, change and withdraw notices', async () => {
    const id = await scene.publish({ scheduled_for: '2099-01-01T00:00:00Z' })
    const notices = scene.maya.client.from('team_notices')
    expect((await notices.insert({ title: 'Fake' })).error).toMatchObject({ code: '42501' })
    await notices.update({ title: 'Changed' }).eq('id', id)
    expect((await notices.delete().eq('id', id)).error).toMatchObject({ code: '42501' })
    const { data } = await scene.dana.client
      .from('team_notices')
      .select('title')
      .eq('id', id)
      .single()
    expect(data).toEqual({ title: 'Kick-off at nine' })
    expect(
      (await scene.team.anonymous().client.from('team_notices').select('id')).error,
    ).toMatchObject({
      code: '42501',
    })
  })

  test('a published notice can be withdrawn but neither changed nor brought back', async () => {
    const id = await scene.publish()
    const notice = () => scene.dana.client.from('team_notices')
    expect((await notice().update({ title: 'Other' }).eq('id', id)).error).toMatchObject({
      code: '42501',
    })
    expect(
      (await notice().update({ cancelled_at: new Date().toISOString() }).eq('id', id)).error,
    ).toBeNull()
    expect(await scene.readBy(scene.maya)).toEqual([])
    const { data } = await call<Notification[]>(scene.maya, 'my_notifications')
    expect(data).toEqual([])
    const broughtBack = await notice().update({ cancelled_at: null }).eq('id', id)
    expect(broughtBack.error).toMatchObject({ code: '42501' })
    const reminder = await scene.dana.client.rpc('remind_notice', { notice_id: id })
    expect(reminder.error).toMatchObject({ code: '42501', message: 'This notice was withdrawn' })
  })

  test.each([
    { title: ' ' },
    { link: 'javascript:alert(1)' },
    { link: '//evil.test/x' },
    { link: '/\\evil.test/x' },
    { scheduled_for: 'infinity' },
    { audience: 'role' },
    { audience: 'chat' },
    { audience: 'members' },
    { audience: 'everyone' },
  ])('what makes no sense is refused: %j', async (wrong) => {
    const { error } = await scene.dana.client
      .from('team_notices')
      .insert({ title: 'x', ...wrong } as never)
    expect(error).toMatchObject({ code: '23514' })
  })
})

describe('who gets it', () => {
  test.each(['*', 'audience_members', 'audience_role', 'audience_chat_id'])(
    'recipients do not read who else got it: %s',
    async (columns) => {
      await scene.publish({
        audience: 'members',
        audience_members: [scene.maya.id, scene.theo.id],
      })
      const notices = scene.maya.client.from('team_notices')
      expect((await notices.select('title')).data).toHaveLength(1)
      expect((await notices.select(columns)).error).toMatchObject({ code: '42501' })
      const guess = await notices.select('id').contains('audience_members', [scene.theo.id])
      expect(guess.error).toMatchObject({ code: '42501' })
    },
  )

  test('everyone, a role, a chat, or chosen members', async () => {
    const chat = await scene.push.aChat([scene.maya, scene.dana])
    const all = await scene.publish()
    const admins = await scene.publish({ audience: 'role', audience_role: 'admin' })
    const inChat = await scene.publish({ audience: 'chat', audience_chat_id: chat })
    const chosen = await scene.publish({ audience: 'members', audience_members: [scene.theo.id] })
    expect((await scene.readBy(scene.maya)).sort()).toEqual([all, inChat].sort())
    expect((await scene.readBy(scene.theo)).sort()).toEqual([all, chosen].sort())
    const { data } = await scene.dana.client
      .from('notice_receipts')
      .select('user_id')
      .eq('notice_id', admins)
    expect((data as { user_id: string }[]).map(({ user_id }) => user_id)).toContain(scene.dana.id)
    expect(data).toHaveLength(2)
  })

  test('it is pushed to their devices with its title and text', async () => {
    const phone = await scene.push.aDevice(scene.maya)
    await scene.push.aDevice(scene.theo)
    const id = await scene.publish({ audience: 'members', audience_members: [scene.maya.id] })
    expect(await scene.push.claim()).toMatchObject([
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
    await scene.push.aDevice(scene.maya)
    const id = await scene.publish({
      scheduled_for: new Date(Date.now() + 3_600_000).toISOString(),
    })
    expect(await scene.push.claim()).toEqual([])
    expect(await scene.readBy(scene.maya)).toEqual([])
    await scene.team.sql('alter table public.team_notices disable trigger user')
    await scene.team.sql(
      "update public.team_notices set scheduled_for = now() - interval '1 second' where id = $1",
      [id],
    )
    await scene.team.sql('alter table public.team_notices enable trigger user')
    expect(await scene.push.claim()).toHaveLength(1)
    expect(await scene.readBy(scene.maya)).toEqual([id])
    expect(await scene.push.claim()).toEqual([])
  })

  test('a member who switched notices off gets no push but can still read it', async () => {
    await scene.push.aDevice(scene.maya)
    await scene.maya.client.from('notification_settings').insert({ notices: false })
    const id = await scene.publish()
    expect(await scene.push.claim()).toEqual([])
    expect(await scene.readBy(scene.maya)).toEqual([id])
    await scene.team.sql('delete from public.notification_settings')
  })
})
