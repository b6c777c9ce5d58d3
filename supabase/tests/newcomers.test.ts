// Admins learn of everybody who waits to be let in.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newcomerScene } from './newcomer-scene.ts'
import { pushScene, type PushScene } from './push-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

type Notification = { kind: string; id: string; title: string; body: string; is_unread: boolean }

/** A row that names a chat and a sender. */
type InChat = {
  chat_id: string
  title?: string
  chat_title?: string
  last_sender_name?: string
  sender_name?: string
}

let team: Team
let admin: Person
let member: Person
let push: PushScene
let scene: ReturnType<typeof newcomerScene>
beforeAll(async () => {
  team = await aTeam()
  push = pushScene(team)
  admin = await team.aMember({ isAdmin: true, firstName: 'Dana', lastName: 'Reyes' })
  member = await team.aMember()
  scene = newcomerScene(team, admin)
  await scene.rule('approval')
})
afterAll(() => team?.close())
beforeEach(async () => {
  await push.clear()
  await team.sql("delete from private.members where status = 'waiting'")
})

const unread = async (person: Person) =>
  (await call<number>(person, 'unread_notification_count')).data
const notifications = async (person: Person) =>
  (await call<Notification[]>(person, 'my_notifications')).data
const letIn = (person: Person) =>
  call(admin, 'set_member_status', { member_id: person.id, status: 'active' })

test('whoever waits is on the admins’ Notifications page, with who brought them, until decided', async () => {
  const { token } = await scene.aLink()
  const [alone, invited] = [
    await scene.anAccount({ data: { first_name: 'Ana', last_name: 'Ruiz' } }),
    await scene.anAccount({ data: { first_name: 'Sam', last_name: 'Lee', join_token: token } }),
  ]
  expect(await notifications(admin)).toMatchObject([
    { kind: 'newcomer', id: invited.id, title: 'Sam Lee', body: 'Dana Reyes', is_unread: true },
    { kind: 'newcomer', id: alone.id, title: 'Ana Ruiz', body: '', is_unread: true },
  ])
  expect(await unread(admin)).toBe(2)
  expect([await notifications(member), await unread(member)]).toEqual([[], 0])
  await call(admin, 'mark_newcomers_seen')
  expect(await unread(admin)).toBe(0)
  await letIn(alone)
  expect((await notifications(admin))?.map(({ id }) => id)).toEqual([invited.id])
})

test('admins list who waits, the longest first, with who brought them', async () => {
  const { token } = await scene.aLink()
  const first = await scene.anAccount({ data: { first_name: 'Zoe', join_token: token } })
  const second = await scene.anAccount({ data: { first_name: 'Abe' } })
  const { data } = await call(admin, 'list_members', { filter: 'waiting' })
  expect(data).toMatchObject([
    { id: first.id, email: first.email, status: 'waiting', sponsor_name: 'Dana Reyes' },
    { id: second.id, sponsor_name: null },
  ])
})

test('each newcomer is pushed once to each device of an admin, and to nobody else', async () => {
  const device = await push.aDevice(admin)
  await push.aDevice(member)
  const person = await scene.anAccount({ data: { first_name: 'Sam', last_name: 'Lee' } })
  expect(await push.claim()).toMatchObject([
    {
      token: device.token,
      kind: 'newcomer',
      title: 'Someone is waiting to join',
      body: 'Sam Lee',
      link: '/admin/members?filter=waiting',
    },
  ])
  // Asking again, a new address and a refresh of the names are no news.
  await call(person, 'join_team')
  await team.sql("update auth.users set email = 'sam@example.org' where id = $1", [person.id])
  expect(await push.claim()).toEqual([])
})

test('is pushed in the admin’s language, and not at all once it is decided', async () => {
  await push.aDevice(admin)
  await team.sql(`update auth.users set raw_user_meta_data = '{"locale": "es"}' where id = $1`, [
    admin.id,
  ])
  const [early, late] = [await scene.anAccount(), await scene.anAccount()]
  await letIn(early)
  expect(await push.claim()).toMatchObject([{ title: 'Alguien espera entrar al equipo' }])
  const third = await scene.anAccount()
  await letIn(third)
  expect(await push.claim()).toEqual([])
  expect(await push.fates()).toContainEqual({ state: 'skipped', reason: 'decided' })
  await letIn(late)
})

test('of many who come at once, a phone shows the last', async () => {
  await push.aDevice(admin)
  for (let each = 0; each < 5; each++) await scene.anAccount()
  expect(await push.claim()).toHaveLength(1)
})

test('the admins’ screens learn that somebody came, and that it was decided; the team’s do not', async () => {
  const events = () =>
    team.sql<{ topic: string; table: string }>(
      `select topic, payload ->> 'table' as table from realtime.messages
       where event = 'content_changed' order by inserted_at, id`,
    )
  await team.sql('delete from realtime.messages')
  const person = await scene.anAccount()
  const published = await events()
  expect(published).toContainEqual({ topic: 'admins', table: 'newcomers' })
  expect(published.filter(({ topic }) => topic !== 'admins')).toEqual([])
  await team.sql('delete from realtime.messages')
  await letIn(person)
  expect(await events()).toEqual(
    expect.arrayContaining([
      { topic: 'admins', table: 'newcomers' },
      { topic: 'team', table: 'users' },
    ]),
  )
})

const statusOf = async ({ id }: Person) =>
  (await team.sql<{ status: string }>('select status from private.members where id = $1', [id]))[0]
    ?.status
const decide = (person: Person, status: string) =>
  call(admin, 'set_member_status', { member_id: person.id, status })

test('of two admins who decide at once, the later learns it and changes nothing', async () => {
  const person = await scene.anAccount()
  const decideIfWaiting = (status: string) =>
    call(admin, 'set_member_status', { member_id: person.id, status, if_status: 'waiting' })
  expect((await decideIfWaiting('declined')).error).toBeNull()
  expect((await decideIfWaiting('active')).error).toMatchObject({
    message: 'Another admin has decided meanwhile',
  })
  expect(await statusOf(person)).toBe('declined')
  // Pressed twice.
  expect((await decideIfWaiting('declined')).error).toBeNull()
})

test('a decline is taken back: the person waits again, is not pushed again and may sign in', async () => {
  const person = await scene.anAccount()
  await decide(person, 'declined')
  await push.aDevice(admin)
  await team.sql('delete from realtime.messages')
  expect((await decide(person, 'waiting')).error).toBeNull()
  expect(await statusOf(person)).toBe('waiting')
  const [account] = await team.sql('select banned_until from auth.users where id = $1', [person.id])
  expect(account).toEqual({ banned_until: null })
  expect(await push.claim()).toEqual([])
  expect(
    await team.sql(`select from realtime.messages where payload ->> 'table' = 'newcomers'`),
  ).toHaveLength(1)
})

test('letting somebody in is taken back for ten minutes, and ends their sessions', async () => {
  const person = await scene.anAccount()
  await letIn(person)
  const seen = async () =>
    (await admin.client.from('users').select('first_name').eq('id', person.id)).data
  expect(await seen()).toHaveLength(1)
  await call(admin, 'set_supervisor', { member_id: person.id, can_supervise: true })
  await team.sql(
    `insert into auth.sessions (id, user_id, created_at, updated_at)
     values (gen_random_uuid(), $1, now(), now())`,
    [person.id],
  )
  expect((await decide(person, 'waiting')).error).toBeNull()
  expect(await statusOf(person)).toBe('waiting')
  expect(await team.sql('select from auth.sessions where user_id = $1', [person.id])).toEqual([])
  expect(await seen()).toEqual([])
  await decide(person, 'declined')
  expect((await decide(person, 'waiting')).error).toBeNull()
  await letIn(person)
  const rights = await team.sql('select can_supervise from private.members where id = $1', [
    person.id,
  ])
  expect(rights).toEqual([{ can_supervise: false }])
  await team.sql(
    `update private.members set admitted_at = now() - interval '11 minutes' where id = $1`,
    [person.id],
  )
  expect((await decide(person, 'waiting')).error?.message).toBe(
    'Letting somebody in can be taken back for ten minutes',
  )
  expect(await statusOf(person)).toBe('active')
})

test('a person whose admission was taken back has no name in the chats they wrote in, until they are let in again', async () => {
  const person = await scene.anAccount()
  await letIn(person)
  const { data: chatId } = await call<string>(person, 'create_chat', {
    member_ids: [admin.id],
    name: null,
    first_message: `Annuities for ${person.id}`,
  })
  const [message] = await team.sql<{ id: string }>(
    'select id from public.chat_messages where chat_id = $1',
    [chatId],
  )
  await admin.client
    .from('saved_messages')
    .insert({ user_id: admin.id, message_id: message?.id })
    .throwOnError()
  const found = async () => {
    const [{ data: chats }, { data: messages }, { data: saved }, { data: named }] =
      await Promise.all([
        call<InChat[]>(admin, 'chat_list'),
        call<InChat[]>(admin, 'search_messages', { query: person.id }),
        call<InChat[]>(admin, 'my_saved_messages'),
        call<InChat[]>(admin, 'chats_with_member', { query: 'Nell Park' }),
      ])
    const namesIn = (rows: InChat[] | null) =>
      (rows ?? [])
        .filter((row) => row.chat_id === chatId)
        .flatMap((row) => [row.title ?? row.chat_title, row.last_sender_name ?? row.sender_name])
    return {
      names: [chats, messages, saved].flatMap(namesIn),
      isFoundByName: named?.some((row) => row.chat_id === chatId),
    }
  }
  const known = { names: Array<string>(6).fill('Nell Park'), isFoundByName: true }
  expect(await found()).toEqual(known)
  for (const status of ['waiting', 'declined']) {
    expect((await decide(person, status)).error).toBeNull()
    expect(await found()).toEqual({
      names: Array<string>(6).fill('Former member'),
      isFoundByName: false,
    })
  }
  await letIn(person)
  expect(await found()).toEqual(known)
})

test('a person whose admission was taken back has no name among those who read a message, were reported or blocked', async () => {
  const person = await scene.anAccount()
  await letIn(person)
  const chat = { name: null, first_message: 'Welcome', member_ids: [person.id] }
  const { data: chat_id } = await call<string>(member, 'create_chat', chat)
  const [message] = await team.sql<{ id: string }>(
    'select id from public.chat_messages where chat_id = $1',
    [chat_id],
  )
  await call(person, 'mark_chat_read', { chat_id })
  await team.sql('update public.team_settings set seen_by_enabled = true')
  await call(member, 'report_member', { member_id: person.id, reason: 'spam', note: '' })
  await call(member, 'block_member', { member_id: person.id })
  const said = async () =>
    JSON.stringify(
      await Promise.all([
        call(member, 'message_seen_by', { message_id: message?.id }),
        call(member, 'my_reports'),
        call(member, 'blocked_people'),
        call(member, 'export_my_data'),
      ]),
    )
  expect((await said()).match(/"Nell( Park)?"/g)).toHaveLength(5)
  expect((await decide(person, 'waiting')).error).toBeNull()
  expect(await said()).not.toContain('Nell')
  expect((await said()).match(/"Former( member)?"/g)).toHaveLength(4)
  await letIn(person)
})

test('who came by an invitation or onto an open team needed no decision, so that none is taken back', async () => {
  const [invited, open] = [await scene.anAccount({ isConfirmed: false }), await scene.anAccount()]
  await scene.anInvitation(invited.email)
  await scene.confirm(invited)
  await letIn(open)
  expect((await decide(invited, 'waiting')).error?.code).toBe('22023')
  await scene.rule('open')
  expect((await decide(open, 'waiting')).error?.code).toBe('22023')
  expect([await statusOf(invited), await statusOf(open)]).toEqual(['active', 'active'])
  await scene.rule('approval')
})

test('a member who was removed, an admin and who is suspended do not wait again', async () => {
  const removed = await scene.anAccount()
  await letIn(removed)
  await call(admin, 'set_member_status', { member_id: removed.id, status: 'removed', reason: 'x' })
  const other = await scene.anAccount()
  await letIn(other)
  await team.sql(`update private.members set role = 'admin' where id = $1`, [other.id])
  const suspended = await scene.anAccount()
  await letIn(suspended)
  await call(admin, 'set_member_status', {
    member_id: suspended.id,
    status: 'suspended',
    reason: 'x',
  })
  const results = await Promise.all(
    [removed, other, suspended].map((person) => decide(person, 'waiting')),
  )
  expect(results.map(({ error }) => error?.code)).toEqual(['22023', '22023', '22023'])
})
