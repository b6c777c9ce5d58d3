// Who comes onto the team, by the team's setting.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newcomerScene } from './newcomer-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let admin: Person
let scene: ReturnType<typeof newcomerScene>
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ isAdmin: true, firstName: 'Dana' })
  scene = newcomerScene(team, admin)
})
afterAll(() => team?.close())
beforeEach(() => scene.rule('approval'))

const WAITING = { status: 'waiting', role: 'user', sponsor_id: null }
const MEMBER = { status: 'active', role: 'user', sponsor_id: null }
const join = (person: Person, join_token: string | null = null) =>
  call<string>(person, 'join_team', { join_token })
const decide = (status: string, { id }: Person, reason = '') =>
  call(admin, 'set_member_status', { member_id: id, status, reason })

test('a new database asks for approval', async () => {
  const [column] = await team.sql<{ column_default: string }>(
    `select column_default from information_schema.columns
     where table_name = 'team_settings' and column_name = 'registration'`,
  )
  expect(column?.column_default).toContain('approval')
})

describe('open', () => {
  beforeEach(() => scene.rule('open'))
  test('whoever confirms an address is a member', async () => {
    expect(await scene.memberOf(await scene.anAccount())).toEqual(MEMBER)
  })
  test.each([
    [{ first_name: ' Maya\tAna\n', last_name: '\u00a0Or\u202etiz\u2028' }, ['Maya Ana', 'Ortiz']],
    [{ first_name: { $ne: 1 }, last_name: ['Ortiz'] }, ['', '']],
    [{ first_name: 7, last_name: null }, ['', '']],
    [{ first_name: 'x'.repeat(101), last_name: '\u200b' }, ['x'.repeat(100), '']],
  ])('the names of a sign-up are texts of one line: %j', async (data, [first_name, last_name]) => {
    const { id } = await scene.anAccount({ data })
    const [row] = await team.sql(
      'select first_name, last_name from private.members where id = $1',
      [id],
    )
    expect(row).toEqual({ first_name, last_name })
  })
  test('whoever comes by a link has its creator as sponsor', async () => {
    const { token } = await scene.aLink()
    const person = await scene.anAccount({ data: { join_token: token } })
    expect(await scene.memberOf(person)).toEqual({ ...MEMBER, sponsor_id: admin.id })
  })
  test('who waited is let in when they ask again', async () => {
    await scene.rule('approval')
    const person = await scene.anAccount()
    await scene.rule('open')
    expect((await join(person)).data).toBe('active')
  })
})

describe('approval', () => {
  test('a newcomer waits, and is in no chat and in nobody’s list', async () => {
    const person = await scene.anAccount()
    expect(await scene.memberOf(person)).toEqual(WAITING)
    const chats = await team.sql('select from private.chat_participants where user_id = $1', [
      person.id,
    ])
    expect(chats).toEqual([])
    const listed = await admin.client.from('users').select('id').eq('id', person.id)
    expect(listed.data).toEqual([])
  })
  test('a link names the sponsor and lets nobody in by itself', async () => {
    const { token } = await scene.aLink()
    const person = await scene.anAccount({ data: { join_token: token } })
    expect(await scene.memberOf(person)).toEqual({ ...WAITING, sponsor_id: admin.id })
  })
  test('an admin approves, and they are in the team chat at once', async () => {
    const person = await scene.anAccount()
    expect((await decide('active', person)).error).toBeNull()
    expect(await scene.memberOf(person)).toEqual(MEMBER)
    const chats = await person.client.from('chats').select('type')
    expect(chats.data).toEqual([{ type: 'mandatory' }])
    const row = await admin.client.from('users').select('is_active').eq('id', person.id)
    expect(row.data).toEqual([{ is_active: true }])
  })
  test('an admin declines with or without a reason, and may let them in later', async () => {
    for (const reason of ['', 'Not one of ours']) {
      const person = await scene.anAccount()
      expect((await decide('declined', person, reason)).error).toBeNull()
      expect(await scene.memberOf(person)).toMatchObject({ status: 'declined' })
      const seen = await admin.client.from('users').select('id').eq('id', person.id)
      expect(seen.data).toEqual([])
      expect((await decide('active', person)).error).toBeNull()
      expect(await scene.memberOf(person)).toMatchObject({ status: 'active' })
    }
  })
  test('who waits cannot be suspended or removed, and decides nothing themselves', async () => {
    const [person, other] = [await scene.anAccount(), await scene.anAccount()]
    for (const status of ['suspended', 'removed'])
      expect((await decide(status, person, 'Why')).error?.message).toBe(
        'A member can be suspended, removed or readmitted',
      )
    for (const id of [person.id, other.id]) {
      const own = await call(person, 'set_member_status', { member_id: id, status: 'active' })
      expect(own.error?.code).toBe('42501')
    }
    await person.client.from('users').insert({ id: person.id, role: 'admin' }).select()
    expect(await scene.memberOf(person)).toEqual(WAITING)
  })
})

describe('an invitation by mail', () => {
  test.each(['open', 'approval', 'invitation'])(
    'lets its address in, with the inviter as sponsor: %s',
    async (rule) => {
      await scene.rule(rule, ['agency.example'])
      const email = `${rule}@elsewhere.example`
      const id = await scene.anInvitation(email)
      const person = await scene.anAccount({ email })
      expect(await scene.memberOf(person)).toEqual({ ...MEMBER, sponsor_id: admin.id })
      const [row] = await team.sql<{ accepted_by: string; is_accepted: boolean }>(
        'select accepted_by, accepted_at is not null as is_accepted from public.invitations where id = $1',
        [id],
      )
      expect(row).toEqual({ accepted_by: person.id, is_accepted: true })
    },
  )
  test('counts once: who deletes the account and comes back waits', async () => {
    await scene.anInvitation('twice@example.com')
    const first = await scene.anAccount({ email: 'twice@example.com' })
    await team.sql('delete from auth.users where id = $1', [first.id])
    expect(await scene.memberOf(await scene.anAccount({ email: 'twice@example.com' }))).toEqual(
      WAITING,
    )
  })
  test.each([
    ['expired', "update public.invitations set expires_at = now() - interval '1 second'"],
    ['revoked', 'update public.invitations set revoked_at = now()'],
  ])('%s lets nobody in', async (what, change) => {
    const email = `${what}@example.com`
    const id = await scene.anInvitation(email)
    await team.sql(`${change} where id = $1`, [id])
    expect(await scene.memberOf(await scene.anAccount({ email }))).toEqual(WAITING)
  })
  test('is over once its address is on the team by another way, even if it had expired', async () => {
    const email = 'another-way@example.com'
    const id = await scene.anInvitation(email)
    await team.sql(
      "update public.invitations set expires_at = now() - interval '1 second' where id = $1",
      [id],
    )
    const person = await scene.anAccount({ email })
    const accepted = async () =>
      (await team.sql('select accepted_by from public.invitations where id = $1', [id]))[0]
        ?.accepted_by
    expect(await accepted()).toBeNull()
    await call(admin, 'set_member_status', { member_id: person.id, status: 'active' })
    expect(await accepted()).toBe(person.id)
  })
  test('is over once a member has its address', async () => {
    await scene.rule('open')
    const person = await scene.anAccount()
    const id = await scene.anInvitation('changed-to@example.com')
    await team.sql('update auth.users set email = $2 where id = $1', [
      person.id,
      'changed-to@example.com',
    ])
    const [row] = await team.sql('select accepted_by from public.invitations where id = $1', [id])
    expect(row?.accepted_by).toBe(person.id)
  })
  test('lets in at once who already waits or was not let in', async () => {
    const waiting = await scene.anAccount()
    await scene.rule('invitation')
    const refused = await scene.anAccount()
    for (const person of [waiting, refused]) {
      await scene.anInvitation(person.email)
      expect(await scene.memberOf(person)).toEqual({ ...MEMBER, sponsor_id: admin.id })
    }
  })
  test('to an address that is not confirmed waits for the confirmation', async () => {
    const person = await scene.anAccount({ isConfirmed: false })
    await scene.anInvitation(person.email)
    expect(await scene.memberOf(person)).toBeUndefined()
    await scene.confirm(person)
    expect(await scene.memberOf(person)).toMatchObject({ status: 'active' })
  })
})

describe('invitation only', () => {
  beforeEach(() => scene.rule('invitation'))

  test('without an invitation an account is no member', async () => {
    const person = await scene.anAccount()
    expect(await scene.memberOf(person)).toBeUndefined()
    const { data } = await call(person, 'my_membership')
    expect(data).toEqual([
      { status: 'none', refusal: 'invitation_only', has_admin: true, takes_set_up_code: false },
    ])
    const profile = await person.client.from('users').insert({ id: person.id }).select()
    expect(profile.error?.message).toBe('You need an invitation to join this team')
    expect((await join(person)).data).toBe('none')
  })
  test('a link lets them in, at the sign-up or afterwards', async () => {
    const { token } = await scene.aLink()
    const [early, late] = [
      await scene.anAccount({ data: { join_token: token } }),
      await scene.anAccount(),
    ]
    expect((await join(late, token)).data).toBe('active')
    for (const person of [early, late]) {
      expect(await scene.memberOf(person)).toEqual({ ...MEMBER, sponsor_id: admin.id })
    }
  })
  test('a link that is taken back lets nobody in: neither strangers nor who signed up before', async () => {
    const { id, token } = await scene.aLink()
    const early = await scene.anAccount({ data: { join_token: token }, isConfirmed: false })
    expect((await call(admin, 'take_back_join_link', { link_id: id })).error).toBeNull()
    await scene.confirm(early)
    const stranger = await scene.anAccount({ data: { join_token: token } })
    for (const person of [early, stranger]) {
      expect(await scene.memberOf(person)).toBeUndefined()
      expect((await join(person, token)).data).toBe('none')
      expect((await person.client.from('users').select('id')).data).toEqual([])
    }
  })
  test('a link that expires between sign-up and confirmation still counts, for that account alone', async () => {
    const { id, token } = await scene.aLink()
    const data = { join_token: token }
    const [early, other] = [
      await scene.anAccount({ data, isConfirmed: false }),
      await scene.anAccount({ isConfirmed: false }),
    ]
    await team.sql(
      "update public.join_links set expires_at = now() - interval '1 hour' where id = $1",
      [id],
    )
    // As somebody would who learned of the old link later.
    await team.sql('update auth.users set raw_user_meta_data = $2 where id = $1', [other.id, data])
    for (const person of [early, other]) await scene.confirm(person)
    expect(await scene.memberOf(early)).toEqual({ ...MEMBER, sponsor_id: admin.id })
    expect(await scene.memberOf(other)).toBeUndefined()
    expect((await join(other, token)).data).toBe('none')
  })
  test('an admin sees how many came by a link', async () => {
    const { id, token } = await scene.aLink()
    for (const person of [await scene.anAccount(), await scene.anAccount()])
      await join(person, token)
    const { data } = await call<{ id: string; joined: number }[]>(admin, 'list_join_links')
    expect(data?.find((link) => link.id === id)?.joined).toBe(2)
  })
  test('a made-up link lets nobody in', async () => {
    const person = await scene.anAccount({ data: { join_token: 'guess' } })
    expect(await scene.memberOf(person)).toBeUndefined()
  })
})

describe('e-mail domains', () => {
  test.each(['open', 'approval', 'invitation'])('keep other addresses out: %s', async (rule) => {
    await scene.rule(rule, ['agency.example'])
    const { token } = await scene.aLink()
    const data = { join_token: token }
    const inside = await scene.anAccount({ email: `${rule}@agency.example`, data })
    const outside = await scene.anAccount({ email: `${rule}@agency.example.evil.test`, data })
    expect(await scene.memberOf(inside)).toMatchObject({
      status: rule === 'approval' ? 'waiting' : 'active',
    })
    expect(await scene.memberOf(outside)).toBeUndefined()
    const own = await call<{ refusal: string }[]>(outside, 'my_membership')
    expect(own.data?.[0]?.refusal).toBe('other_domain')
  })
  test('an address that is changed to the team’s domain is let in', async () => {
    await scene.rule('open', ['agency.example'])
    const person = await scene.anAccount({ email: 'moved@elsewhere.example' })
    await team.sql('update auth.users set email = $2 where id = $1', [
      person.id,
      'moved@agency.example',
    ])
    expect(await scene.memberOf(person)).toEqual(MEMBER)
  })
  test.each([
    [['Agency.example']],
    [['@agency.example']],
    [['agency']],
    [['*.example']],
    [['%.example']],
    [['agency..example']],
    [['-agency.example']],
    [['аgency.example']],
    [[`${'a'.repeat(250)}.com`]],
    [[null]],
  ])('look like a domain: %j is refused', async (domains) => {
    const { error } = await admin.client
      .from('team_settings')
      .update({ email_domains: domains })
      .eq('id', true)
    expect(error?.message).toContain('E-mail domains look like example.com')
  })
})

describe('what a sign-up leads to', () => {
  const outcome = async (domain: string, token: string | null = null) =>
    (await call<string>(team.anonymous(), 'sign_up_outcome', { domain, join_token: token })).data
  test('is announced before it is made', async () => {
    const { id, token } = await scene.aLink()
    expect(await outcome('example.com')).toBe('waiting')
    await scene.rule('open')
    expect(await outcome('example.com')).toBe('member')
    await scene.rule('invitation', ['agency.example'])
    expect(await outcome('example.com', token)).toBe('other_domain')
    expect(await outcome('AGENCY.example', token)).toBe('member')
    expect(await outcome('agency.example')).toBe('invitation_only')
    await call(admin, 'take_back_join_link', { link_id: id })
    expect(await outcome('agency.example', token)).toBe('invitation_only')
  })
  test('does not tell who was invited by mail', async () => {
    await scene.rule('invitation')
    await scene.anInvitation('somebody@secret.example')
    expect(await outcome('secret.example')).toBe('invitation_only')
  })
})

test('the account of who waits can be exported and deleted', async () => {
  const person = await scene.anAccount()
  const copy = await call<Record<string, unknown>>(person, 'export_my_data')
  expect(copy.data).toMatchObject({
    account: { email: person.email },
    profile: { status: 'waiting' },
    chats: [],
    team_notices: [],
  })
  await team.sql('delete from auth.users where id = $1', [person.id])
  expect(await scene.memberOf(person)).toMatchObject({ status: 'deleted' })
})
