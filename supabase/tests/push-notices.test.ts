import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { publishNotice } from './publish-notice.ts'
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

const publish = (more: Record<string, unknown> = {}) => publishNotice(dana, more)

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
