// Phone and e-mail: who sees them is the member's choice, whichever way they are read.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aGroup } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

const PHONE = '+13125550142'

let team: Team
let ada: Person
let sue: Person
let top: Person
let middle: Person
let maya: Person
let theo: Person

beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
  sue = await team.aMember({ firstName: 'Sue', canSupervise: true })
  top = await team.aMember({ firstName: 'Top' })
  middle = await team.aMember({ firstName: 'Middle' })
  theo = await team.aMember({ firstName: 'Theo' })
})
afterAll(() => team?.close())
beforeEach(async () => {
  maya = await team.aMember({ firstName: 'Maya' })
  await team.sql('update private.members set sponsor_id = null')
  await team.sql('update private.members set sponsor_id = $2 where id = $1', [middle.id, top.id])
  await team.sql('update private.members set sponsor_id = $2 where id = $1', [maya.id, middle.id])
})

const save = (person: Person, values: object) =>
  person.client.from('users').update(values).eq('id', person.id).select('*')

type Shown = { email: string | null; phone: string | null }

/** What the reader gets of the member, the same whichever way they ask. */
async function shown(reader: Person, member: Person): Promise<Shown> {
  const users = await reader.client.from('users').select('email, phone').eq('id', member.id)
  const profile = await call<Shown[]>(reader, 'member_profile', { member_id: member.id })
  const row = users.data?.[0]
  const { email, phone } = profile.data?.[0] ?? { email: null, phone: null }
  expect(row).toEqual({ email, phone })
  return { email, phone }
}

describe('a phone number', () => {
  test.each([
    ['everyone', { admin: true, supervisor: true, upline: true, others: true }],
    ['leaders', { admin: true, supervisor: true, upline: true, others: false }],
    ['nobody', { admin: false, supervisor: false, upline: false, others: false }],
  ])('shown to %s', async (phone_audience, expected) => {
    expect((await save(maya, { phone: PHONE, phone_audience })).error).toBeNull()
    const sees = async (reader: Person) => (await shown(reader, maya)).phone === PHONE
    expect({
      admin: await sees(ada),
      supervisor: await sees(sue),
      upline: (await sees(top)) && (await sees(middle)),
      others: await sees(theo),
    }).toEqual(expected)
    expect((await shown(maya, maya)).phone).toBe(PHONE)
  })

  test('is for leaders until the member says otherwise', async () => {
    await save(maya, { phone: PHONE })
    expect((await shown(theo, maya)).phone).toBeNull()
    expect((await shown(middle, maya)).phone).toBe(PHONE)
  })

  test('is not shown to those whom the member brought in', async () => {
    await save(top, { phone: PHONE, phone_audience: 'leaders' })
    expect((await shown(maya, top)).phone).toBeNull()
  })

  test('is gone for those who blocked or were blocked, and for everybody once the member is not on the team', async () => {
    await save(maya, { phone: PHONE, phone_audience: 'everyone' })
    await call(maya, 'block_member', { member_id: theo.id })
    expect((await shown(theo, maya)).phone).toBeNull()
    await call(maya, 'unblock_member', { member_id: theo.id })
    await call(theo, 'block_member', { member_id: maya.id })
    expect((await shown(theo, maya)).phone).toBeNull()
    await call(theo, 'unblock_member', { member_id: maya.id })
    expect((await shown(theo, maya)).phone).toBe(PHONE)
    for (const status of ['suspended', 'removed']) {
      await team.sql('update private.members set status = $2 where id = $1', [maya.id, status])
      const { data } = await ada.client.from('users').select('phone').eq('id', maya.id)
      expect(data).toEqual([{ phone: null }])
      const profile = await call<object[]>(theo, 'member_profile', { member_id: maya.id })
      expect(profile.data).toMatchObject([
        { first_name: 'Maya', is_active: false, email: null, phone: null },
      ])
    }
  })

  test.each([
    ['(312) 555-0142', PHONE],
    ['312.555.0142', PHONE],
    ['1-312-555-0142', PHONE],
    ['\u202a+1\u00a0312\u2011555\u20110142\u202c', PHONE],
    ['011 52 55 1234 5678', '+525512345678'],
    ['+44 20 7946 0958', '+442079460958'],
    ['  ', null],
  ])('"%s" is stored as %s', async (typed, phone) => {
    const { data, error } = await save(maya, { phone: typed })
    expect(error).toBeNull()
    expect(data).toMatchObject([{ phone }])
  })

  test.each([
    '555-0142',
    '(112) 555-0142',
    '312 555 0142 x3',
    'call me',
    '+0123456789',
    '1'.repeat(5000),
  ])('"%.20s" is refused in words, without the row', async (typed) => {
    const { error } = await save(maya, { phone: typed })
    expect(error).toMatchObject({
      message: 'Enter a phone number with its area code, such as (312) 555-0142',
      details: null,
    })
  })
})

describe('an e-mail address', () => {
  test('is shown to everybody until the member says otherwise', async () => {
    expect((await shown(theo, maya)).email).toBe(maya.email)
  })

  test.each([
    ['leaders', { admin: true, supervisor: true, upline: true, others: false }],
    ['nobody', { admin: true, supervisor: false, upline: false, others: false }],
  ])('shown to %s', async (email_audience, expected) => {
    expect((await save(maya, { email_audience })).error).toBeNull()
    const sees = async (reader: Person) => (await shown(reader, maya)).email === maya.email
    expect({
      admin: await sees(ada),
      supervisor: await sees(sue),
      upline: (await sees(top)) && (await sees(middle)),
      others: await sees(theo),
    }).toEqual(expected)
    expect((await shown(maya, maya)).email).toBe(maya.email)
  })

  test('that is hidden is in no list, search or chat of another member', async () => {
    const group = await aGroup(theo, [maya])
    await call(theo, 'create_chat', { member_ids: [maya.id], name: null, first_message: 'Hello' })
    const everything = async () =>
      JSON.stringify(
        await Promise.all([
          call(theo, 'chat_list'),
          call(theo, 'chat_members', { chat_id: group }),
          call(theo, 'search_members', { query: 'maya' }),
          call(theo, 'list_people', { query: 'maya' }),
          call(theo, 'search_members', { query: maya.email }),
          call(theo, 'list_people', { query: maya.email }),
          theo.client.from('users').select('*').eq('id', maya.id),
          theo.client.from('users').select('*').eq('email', maya.email),
          theo.client
            .from('users')
            .select('*')
            .ilike('email', `${maya.email.slice(0, 12)}%`),
        ]),
      )
    expect(await everything()).toContain(maya.email)
    await save(maya, { email_audience: 'nobody' })
    expect(await everything()).not.toContain(maya.email)
    expect((await call<object[]>(theo, 'search_members', { query: maya.email })).data).toEqual([])
    expect((await call<object[]>(ada, 'list_members', { query: maya.email })).data).toMatchObject([
      { id: maya.id, email: maya.email },
    ])
  })

  test('is for admins alone once the member is not on the team', async () => {
    await call(theo, 'create_chat', { member_ids: [maya.id], name: null, first_message: 'Hello' })
    const seenBy = async (reader: Person) => {
      const { data } = await reader.client.from('users').select('email').eq('id', maya.id)
      return data
    }
    const inChats = async () => JSON.stringify((await call(theo, 'chat_list')).data)
    expect(await inChats()).toContain(maya.email)
    for (const status of ['suspended', 'removed']) {
      await team.sql('update private.members set status = $2 where id = $1', [maya.id, status])
      for (const reader of [theo, sue, top]) expect(await seenBy(reader)).toEqual([{ email: null }])
      expect(await seenBy(ada)).toEqual([{ email: maya.email }])
      expect(await inChats()).not.toContain(maya.email)
    }
  })

  test('is no name of a member without one once they are not on the team, and finds nothing', async () => {
    await save(maya, { first_name: '', last_name: '' })
    await call(theo, 'create_chat', { member_ids: [maya.id], name: null, first_message: 'Hello' })
    const titles = async () =>
      (await call<{ title: string }[]>(theo, 'chat_list')).data?.map(({ title }) => title)
    const localPart = maya.email.split('@')[0]
    expect(await titles()).toContain(localPart)
    await team.sql("update private.members set status = 'suspended' where id = $1", [maya.id])
    expect(await titles()).not.toContain(localPart)
    expect(await titles()).toContain('User')
    const found = async (query: string) => (await call<object[]>(sue, 'find_chats', { query })).data
    expect(await found(maya.email)).toEqual([])
    expect(await found('Theo')).not.toEqual([])
  })

  test('is hidden by members with a name only, because others are called by their address', async () => {
    await save(maya, { first_name: '', last_name: '' })
    const refusal = 'Enter your name before you hide your e-mail address'
    const { error } = await save(maya, { email_audience: 'nobody' })
    expect(error?.message).toContain(refusal)
    expect(error?.details).toBeNull()
    await save(maya, { first_name: 'Maya', email_audience: 'nobody' })
    expect((await save(maya, { first_name: ' ' })).error?.message).toContain('hide your e-mail')
  })
})

test('a line about oneself is one line, of visible characters', async () => {
  const { data } = await save(maya, { about: ' Sells\nlife \u202eand\u202c term ', state: ' ny ' })
  expect(data).toMatchObject([{ about: 'Sells life and term', state: 'NY' }])
  expect((await save(maya, { about: 'x'.repeat(141) })).error).toMatchObject({
    code: '23514',
    details: null,
  })
  expect((await save(maya, { state: 'XX' })).error).toMatchObject({ code: '23514', details: null })
})

test.each([
  { phone_audience: 'friends' },
  { email_audience: 'friends' },
  { phone_audience: null },
  { email_audience: null },
])('%j is refused without the row', async (values) => {
  const { error } = await save(maya, values)
  expect(error?.code).toMatch(/^235(02|14)$/)
  expect(error?.details).toBeNull()
})

test('an admin’s change to somebody leaves what only that member sees as it was', async () => {
  await save(maya, { phone: PHONE, phone_audience: 'nobody', email_audience: 'leaders' })
  const change = await ada.client
    .from('users')
    .update({ can_create_chats: false })
    .eq('id', maya.id)
  expect(change.error).toBeNull()
  const { error } = await ada.client
    .from('users')
    .update({ phone: null })
    .eq('id', maya.id)
    .select()
  expect(error).toBeNull()
  expect((await save(maya, { about: 'Here' })).data).toMatchObject([
    { phone: PHONE, phone_audience: 'nobody', email_audience: 'leaders' },
  ])
  const overwrite = await ada.client
    .from('users')
    .update({ phone: '+13125550199' })
    .eq('id', maya.id)
  expect(overwrite.error?.code).toBe('42501')
})

test('the member’s copy of their data has it all, and deleting the account erases it', async () => {
  await save(maya, {
    phone: PHONE,
    phone_audience: 'nobody',
    state: 'TX',
    about: 'Term life',
    email_audience: 'leaders',
  })
  const { data } = await call<{ profile: object }>(maya, 'export_my_data')
  expect(data?.profile).toMatchObject({
    email: maya.email,
    phone: PHONE,
    phone_audience: 'nobody',
    email_audience: 'leaders',
    state: 'TX',
    about: 'Term life',
  })
  const others = await call(theo, 'export_my_data')
  expect(JSON.stringify(others.data)).not.toContain(PHONE)
  await team.sql('delete from auth.users where id = $1', [maya.id])
  const [left] = await team.sql(
    `select phone, phone_audience, email_audience, state, about, email, searchable from private.members where id = $1`,
    [maya.id],
  )
  expect(left).toEqual({
    phone: null,
    phone_audience: 'leaders',
    email_audience: 'everyone',
    state: null,
    about: '',
    email: null,
    searchable: 'former member ',
  })
})

test('a number is not published to anybody, and that an address was hidden is published without it', async () => {
  const published = async (words: string) =>
    (
      await team.sql<{ n: number }>(
        `select count(*)::int as n from realtime.messages
         where event = 'content_changed' and payload::text like '%' || $1 || '%'`,
        [words],
      )
    )[0]?.n ?? 0
  const before = await published('users')
  await save(maya, { phone: PHONE, phone_audience: 'everyone' })
  expect(await published('users')).toBe(before)
  await save(maya, { email_audience: 'leaders' })
  expect(await published('users')).toBe(before + 1)
  for (const secret of [PHONE.slice(1), maya.email]) expect(await published(secret)).toBe(0)
})
