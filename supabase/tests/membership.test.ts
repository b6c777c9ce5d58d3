// Suspending, removing and readmitting members.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let admin: Person
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ firstName: 'Ada', isAdmin: true })
})
afterAll(() => team?.close())

const setStatus = (by: Person, { id }: Person, status: string, reason = 'Left the team') =>
  call(by, 'set_member_status', { member_id: id, status, reason })

async function statusOf({ id }: Person) {
  const [row] = await team.sql<{ status: string; role: string; is_active: boolean }>(
    'select status, role, is_active from private.members where id = $1',
    [id],
  )
  return row
}

/** A group with its creator, the others and one more member, since it takes three. */
async function aGroup(creator: Person, others: Person[]): Promise<string> {
  const third = await team.aMember({ firstName: 'Third' })
  const { data, error } = await call<string>(creator, 'create_chat', {
    member_ids: [...others, third].map(({ id }) => id),
    name: 'Squad',
    first_message: 'Welcome',
  })
  if (error) throw error
  await team.sql(
    `update private.chat_participants set joined_at = now() + interval '1 hour' where user_id = $1`,
    [third.id],
  )
  return data ?? ''
}

async function creatorOf(chatId: string) {
  const [chat] = await team.sql<{ created_by: string }>(
    'select created_by from public.chats where id = $1',
    [chatId],
  )
  return chat?.created_by
}

test('a suspension ends every session and device, and keeps the account from signing in', async () => {
  const member = await team.aMember()
  await team.sql(
    `insert into auth.sessions (id, user_id, created_at, updated_at) values (gen_random_uuid(), $1, now(), now())`,
    [member.id],
  )
  await call(member, 'register_push_device', { token: 'a'.repeat(64), platform: 'ios' })
  expect((await setStatus(admin, member, 'suspended')).error).toBeNull()
  const [left] = await team.sql(
    `select
       (select count(*)::int from auth.sessions where user_id = $1) as sessions,
       (select count(*)::int from public.push_devices where user_id = $1) as devices,
       (select banned_until > now() + interval '100 years' from auth.users where id = $1) as is_banned`,
    [member.id],
  )
  expect(left).toEqual({ sessions: 0, devices: 0, is_banned: true })
  const read = await member.client.from('users').select('id')
  expect(read.data).toEqual([])
})

test('who is suspended is left out of pickers and counts, and their messages stay readable', async () => {
  const [member, friend] = [await team.aMember({ firstName: 'Sam' }), await team.aMember()]
  const chatId = await aGroup(member, [friend])
  await member.client
    .from('chat_messages')
    .insert({ chat_id: chatId, sender_id: member.id, message: 'Still here' })
  const before = (await call<number>(friend, 'get_user_count')).data
  await setStatus(admin, member, 'suspended')
  expect((await call<number>(friend, 'get_user_count')).data).toBe(Number(before) - 1)
  const members = await call<{ id: string }[]>(friend, 'chat_members', { chat_id: chatId })
  expect(members.data?.map(({ id }) => id)).not.toContain(member.id)
  expect(members.data).toHaveLength(2)
  const messages = await friend.client.from('chat_messages').select('message').eq('chat_id', chatId)
  expect(messages.data?.map(({ message }) => message as string)).toContain('Still here')
  const profile = await friend.client
    .from('users')
    .select('first_name, is_active')
    .eq('id', member.id)
  expect(profile.data).toEqual([{ first_name: 'Sam', is_active: false }])
})

test('groups get another creator, an admin first, and return with their creator', async () => {
  const [member, early, late] = [
    await team.aMember(),
    await team.aMember(),
    await team.aMember({ isAdmin: true }),
  ]
  const withAdmin = await aGroup(member, [early, late])
  const without = await aGroup(member, [early])
  await setStatus(admin, member, 'suspended')
  expect(await creatorOf(withAdmin)).toBe(late.id)
  expect(await creatorOf(without)).toBe(early.id)
  await setStatus(admin, member, 'active', '')
  expect(await creatorOf(withAdmin)).toBe(member.id)
  expect(await creatorOf(without)).toBe(member.id)
  expect(await statusOf(member)).toMatchObject({ status: 'active', is_active: true })
})

test('a group that was handed on twice returns to its maker', async () => {
  const [maker, second, third] = [
    await team.aMember({ firstName: 'Mae' }),
    await team.aMember(),
    await team.aMember(),
  ]
  const group = await aGroup(maker, [second, third])
  await team.sql(
    `update private.chat_participants set joined_at = now() + interval '30 minutes' where chat_id = $1 and user_id = $2`,
    [group, third.id],
  )
  await setStatus(admin, maker, 'suspended')
  expect(await creatorOf(group)).toBe(second.id)
  await setStatus(admin, second, 'suspended')
  expect(await creatorOf(group)).toBe(third.id)
  await setStatus(admin, second, 'active', '')
  expect(await creatorOf(group)).toBe(third.id)
  await setStatus(admin, maker, 'active', '')
  expect(await creatorOf(group)).toBe(maker.id)
})

test('a group whose maker deleted their account returns to its next manager', async () => {
  const [maker, second] = [await team.aMember(), await team.aMember()]
  const group = await aGroup(maker, [second])
  await setStatus(admin, maker, 'suspended')
  await team.sql('delete from auth.users where id = $1', [maker.id])
  await setStatus(admin, second, 'suspended')
  expect(await creatorOf(group)).not.toBe(second.id)
  await setStatus(admin, second, 'active', '')
  expect(await creatorOf(group)).toBe(second.id)
})

test('a group without an active manager gets the first of its members who returns', async () => {
  const [maker, second] = [await team.aMember(), await team.aMember()]
  const group = await aGroup(maker, [second])
  const [{ id: thirdId } = { id: '' }] = await team.sql<{ id: string }>(
    'select user_id as id from private.chat_participants where chat_id = $1 and user_id <> all ($2)',
    [group, [maker.id, second.id]],
  )
  const third = { id: thirdId } as Person
  for (const person of [maker, second, third]) await setStatus(admin, person, 'suspended')
  expect(await creatorOf(group)).toBe(third.id)
  await setStatus(admin, second, 'active', '')
  expect(await creatorOf(group)).toBe(second.id)
  await setStatus(admin, third, 'active', '')
  expect(await creatorOf(group)).toBe(second.id)
  await setStatus(admin, maker, 'active', '')
  expect(await creatorOf(group)).toBe(maker.id)
})

test('a group whose maker was taken out of it returns to its next manager', async () => {
  const [maker, second] = [await team.aMember(), await team.aMember()]
  const group = await aGroup(maker, [second])
  await setStatus(admin, maker, 'suspended')
  await team.sql(
    'update private.chat_participants set is_active = false where chat_id = $1 and user_id = $2',
    [group, maker.id],
  )
  await setStatus(admin, second, 'suspended')
  await setStatus(admin, second, 'active', '')
  expect(await creatorOf(group)).toBe(second.id)
  await setStatus(admin, maker, 'active', '')
  expect(await creatorOf(group)).toBe(second.id)
})

test('scheduled notices of a suspended admin are published in the name of who suspended them', async () => {
  const other = await team.aMember({ isAdmin: true })
  const id = randomUUID()
  const scheduled_for = new Date(Date.now() + 86_400_000).toISOString()
  const written = await other.client
    .from('team_notices')
    .insert({ id, title: 'Kick-off', scheduled_for })
  expect(written.error).toBeNull()
  await setStatus(admin, other, 'suspended')
  const [notice] = await team.sql(
    'select created_by, cancelled_at from public.team_notices where id = $1',
    [id],
  )
  expect(notice).toEqual({ created_by: admin.id, cancelled_at: null })
})

test('a removed admin is no admin, also after being readmitted', async () => {
  const other = await team.aMember({ isAdmin: true })
  await setStatus(admin, other, 'removed')
  await setStatus(admin, other, 'active', '')
  expect(await statusOf(other)).toEqual({ status: 'active', role: 'user', is_active: true })
})

test('only admins change a status, never their own, and with a reason', async () => {
  const [member, other] = [await team.aMember(), await team.aMember()]
  expect((await setStatus(member, other, 'suspended')).error?.message).toBe(
    'Only an admin may suspend or remove members',
  )
  expect((await setStatus(admin, admin, 'suspended')).error?.message).toBe(
    'Ask another admin to do this',
  )
  expect((await setStatus(admin, other, 'suspended', ' ')).error?.message).toBe(
    'Give a reason for suspending or removing a member',
  )
  expect((await setStatus(admin, other, 'deleted')).error?.message).toBe(
    'A member can be suspended, removed or readmitted',
  )
  expect((await setStatus(admin, other, 'removed', 'x'.repeat(501))).error?.code).toBe('23514')
  expect(await statusOf(other)).toMatchObject({ status: 'active' })
})

test('pressed twice, a suspension is one suspension', async () => {
  const member = await team.aMember()
  const twice = await Promise.all([
    setStatus(admin, member, 'suspended'),
    setStatus(admin, member, 'suspended'),
  ])
  expect(twice.map(({ error }) => error)).toEqual([null, null])
})

test('a deleted account cannot be readmitted, and the last admin cannot be suspended', async () => {
  const gone = await team.aMember()
  await team.sql('delete from auth.users where id = $1', [gone.id])
  expect((await setStatus(admin, gone, 'active')).error?.message).toBe(
    'This member no longer exists',
  )
  const alone = await aTeam()
  try {
    await alone.aMember()
    const [first] = await alone.sql<{ id: string }>(
      "select id from private.members where role = 'admin'",
    )
    const { error } = await call(alone.service(), 'set_member_status', {
      member_id: first?.id,
      status: 'suspended',
      reason: 'Left',
    })
    expect(error?.message).toBe('The last admin cannot be removed')
  } finally {
    await alone.close()
  }
})

test('the last admin stays while somebody waits or is suspended, since nobody else could let them in', async () => {
  const alone = await aTeam()
  try {
    const other = await alone.aMember()
    for (const status of ['waiting', 'suspended']) {
      await alone.sql('update private.members set status = $2 where id = $1', [other.id, status])
      await expect(
        alone.sql(`update private.members set status = 'deleted' where role = 'admin'`),
      ).rejects.toThrow('The last admin cannot be removed')
    }
  } finally {
    await alone.close()
  }
})

test('the list of members searches, filters and pages, and its counts agree', async () => {
  const [silent, fresh] = [
    await team.aMember({ firstName: 'Zoë', lastName: 'Quiet' }),
    await team.aMember({ firstName: 'Zora', lastName: 'Fresh' }),
  ]
  await team.sql(
    `update auth.users set last_sign_in_at = now() - interval '20 days' where id = $1`,
    [silent.id],
  )
  await team.sql(`update auth.users set last_sign_in_at = now() where id = $1`, [fresh.id])
  const list = async (args: object) =>
    (
      await call<{ id: string }[]>(admin, 'list_members', args as Record<string, unknown>)
    ).data?.map(({ id }) => id)
  expect(await list({ query: 'zoe' })).toEqual([silent.id])
  expect(await list({ filter: 'silent' })).toEqual([silent.id])
  expect(await list({ filter: 'suspended', query: 'zora' })).toEqual([])
  await setStatus(admin, fresh, 'removed')
  expect(await list({ filter: 'removed', query: 'zora' })).toEqual([fresh.id])
  expect(await list({ query: 'zora' })).toEqual([])
  const counts = (await call<Record<string, number>[]>(admin, 'count_members')).data?.[0]
  for (const filter of [
    'active',
    'admins',
    'never_opened',
    'silent',
    'waiting',
    'suspended',
    'removed',
    'declined',
  ]) {
    expect(await list({ filter, max_results: 200 }), filter).toHaveLength(Number(counts?.[filter]))
  }
  const first = await list({ max_results: 2 })
  const next = await list({ max_results: 2, skip: 2 })
  expect(new Set([...(first ?? []), ...(next ?? [])]).size).toBe(4)
})

test('vice presidents are named in the order they were chosen, without who was suspended', async () => {
  const [one, two] = [
    await team.aMember({ firstName: 'Vic' }),
    await team.aMember({ firstName: 'Val' }),
  ]
  const choose = ({ id }: Person, is_vice_president: boolean) =>
    call(admin, 'set_vice_president', { member_id: id, is_vice_president })
  const named = async () =>
    (await call<{ first_name: string }[]>(one, 'vice_presidents')).data?.map(
      (each) => each.first_name,
    )
  for (const person of [two, one, two]) expect((await choose(person, true)).error).toBeNull()
  expect(await named()).toEqual(['Val', 'Vic'])
  await setStatus(admin, two, 'suspended')
  expect(await named()).toEqual(['Vic'])
  await choose(one, false)
  expect(await named()).toEqual([])
  const many = Array.from({ length: 11 }, () => one.id)
  await expect(
    team.sql('update public.team_settings set vice_presidents = $1', [many]),
  ).rejects.toThrow('At most 10 vice presidents')
})

test('who is suspended keeps their place among the vice presidents until somebody else needs it', async () => {
  const people = await Promise.all(Array.from({ length: 11 }, () => team.aMember()))
  const ids = people.map(({ id }) => id)
  await team.sql('update public.team_settings set vice_presidents = $1', [ids.slice(0, 10)])
  const choose = async () =>
    (await call(admin, 'set_vice_president', { member_id: ids[10], is_vice_president: true })).error
  const stored = async () =>
    (await team.sql('select vice_presidents from public.team_settings'))[0]?.vice_presidents
  expect((await choose())?.message).toContain('At most 10 vice presidents')
  await setStatus(admin, people[3]!, 'suspended')
  expect(await stored()).toContain(ids[3])
  expect(await choose()).toBeNull()
  expect(await stored()).toEqual(ids.filter((_, place) => place !== 3))
  await team.sql(`update public.team_settings set vice_presidents = '{}'`)
})

test('vice presidents are put in another order; one who is suspended or was just chosen keeps their place', async () => {
  const people = await Promise.all(
    ['Ann', 'Ben', 'Cid', 'Dot'].map((firstName) => team.aMember({ firstName })),
  )
  const [ann, ben, cid, dot] = people as [Person, Person, Person, Person]
  const ids = (...some: Person[]) => some.map(({ id }) => id)
  const order = (...some: Person[]) =>
    call(admin, 'order_vice_presidents', { member_ids: ids(...some) })
  const stored = async () =>
    (await team.sql('select vice_presidents from public.team_settings'))[0]?.vice_presidents
  await team.sql('update public.team_settings set vice_presidents = $1', [ids(...people)])
  await setStatus(admin, ben, 'suspended')
  // Dot was chosen after the list was read; a stranger is not among them.
  expect((await order(cid, admin, ann)).error).toBeNull()
  expect(await stored()).toEqual(ids(cid, ben, ann, dot))
  const named = await call<{ first_name: string }[]>(ann, 'vice_presidents')
  expect(named.data?.map(({ first_name }) => first_name)).toEqual(['Cid', 'Ann', 'Dot'])
  expect((await order()).error).toBeNull()
  expect(await stored()).toEqual(ids(cid, ben, ann, dot))
  expect((await order(...Array.from({ length: 11 }, () => ann))).error?.message).toBe(
    'At most 10 vice presidents',
  )
  expect((await call(ann, 'order_vice_presidents', { member_ids: [ann.id] })).error?.code).toBe(
    '42501',
  )
})

test('a member’s details say what they use and lead', async () => {
  const [member, friend] = [await team.aMember({ firstName: 'Deb' }), await team.aMember()]
  await aGroup(member, [friend])
  await setStatus(admin, member, 'suspended', 'On leave')
  const { data } = await call<object[]>(admin, 'member_details', { member_id: member.id })
  expect(data).toMatchObject([
    {
      first_name: 'Deb',
      status: 'suspended',
      status_reason: 'On leave',
      status_changed_by_name: 'Ada Doe',
      sessions: 0,
      devices: 0,
      groups_led: 0,
    },
  ])
})
