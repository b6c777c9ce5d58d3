import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anItem, CONTENT } from './rights-cases-content.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let admin: Person
let member: Person
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ isAdmin: true })
  member = await team.aMember()
})
afterAll(() => team?.close())

describe.each(CONTENT)('%s content', (type) => {
  const save = (some: Record<string, unknown>) =>
    admin.client.from(`${type}_content`).insert(anItem(type, some)).select().single<object>()

  test.each([
    ['Title is required', { title: '   ' }],
    ['Title is required', { title: null }],
    ['Title is at most 200 characters', { title: 'x'.repeat(201) }],
    ['URL must be a web address (https://…)', { url: 'not a url' }],
    ['URL must be a web address (https://…)', { url: 'javascript:alert(1)' }],
    ['Image URL must be a web address or a path', { image_url: 'data:text/html,x' }],
    [/^Category must be /, { category: 'Gossip' }],
    [/invalid input syntax for type integer/, { sort_order: 'first' }],
    [/invalid input syntax for type integer/, { sort_order: '1.5' }],
  ])('%s: %o', async (message, some) => {
    const { error, status } = await save(some)
    expect(error?.message).toEqual(
      typeof message === 'string'
        ? expect.stringContaining(message)
        : expect.stringMatching(message.source.replace('^', '')),
    )
    expect(status).toBe(400)
  })

  test('an empty form field is stored as null', async () => {
    const { data } = await save({ description: ' ', url: '', image_url: '', sort_order: null })
    expect(data).toMatchObject({ description: null, url: null, image_url: null, sort_order: 0 })
  })
})

describe('schedule', () => {
  const save = (some: object) =>
    admin.client.from('schedule_content').insert({ title: 'Meeting', ...some })

  test.each([
    ['Start time and end time are required for schedule items', {}],
    ['Start time and end time are required for schedule items', { start_time: '09:00' }],
    ['Start time must be before end time', { start_time: '10:00', end_time: '09:00' }],
    ['Start time must be before end time', { start_time: '10:00', end_time: '10:00' }],
    ['Day must be Monday to Sunday', { start_time: '9:00', end_time: '10:00', day_of_week: 'Mon' }],
    ['invalid input syntax for type time', { start_time: 'later', end_time: '10:00' }],
  ])('%s: %o', async (message, some) => {
    const { error, status } = await save(some)
    expect(error?.message).toContain(message)
    expect(status).toBe(400)
  })
})

describe('chats and messages', () => {
  const chat = (some: object) =>
    member.client
      .from('chats')
      .insert({ type: 'group', name: 'Squad', created_by: member.id, ...some })
      .select()
  const send = (message: unknown) =>
    member.client
      .from('chat_messages')
      .insert({ chat_id: team.mandatoryChatId, sender_id: member.id, message })

  test.each([
    ['Group name must have 1 to 50 characters', { name: '' }],
    ['Group name must have 1 to 50 characters', { name: '   ' }],
    ['Group name must have 1 to 50 characters', { name: null }],
    ['Group name must have 1 to 50 characters', { name: 'x'.repeat(51) }],
  ])('%s: %o', async (message, some) => {
    const { error, status } = await chat(some)
    expect(error?.message).toContain(message)
    expect(status).toBe(400)
  })

  test('a group name of 50 characters fits, whatever the alphabet', async () => {
    expect((await chat({ name: '🦊'.repeat(50) })).error).toBeNull()
  })

  test.each([
    ['Message must not be blank', ''],
    ['Message must not be blank', ' \n\t '],
    ['Message is at most 4000 characters', 'x'.repeat(4001)],
    ['null value in column "message"', null],
  ])('%s', async (message, text) => {
    const { error, status } = await send(text)
    expect(error?.message).toContain(message)
    expect(status).toBe(400)
  })

  test('a message of 4000 characters fits', async () => {
    expect((await send('é'.repeat(4000))).error).toBeNull()
  })

  test.each([
    ['Please select at least one team member', { member_ids: [] }],
    ['Please write a first message', { first_message: ' ' }],
    [
      'Somebody you selected is not on the team any more',
      { member_ids: ['00000000-0000-0000-0000-000000000000'] },
    ],
  ])('create_chat: %s', async (message, some) => {
    const other = await team.aMember()
    const { error, status } = await call(member, 'create_chat', {
      member_ids: [other.id],
      name: null,
      first_message: 'Hi',
      ...some,
    })
    expect(error?.message).toBe(message)
    expect(status).toBe(400)
  })

  test('create_chat: a group needs a name', async () => {
    const [one, two] = [await team.aMember(), await team.aMember()]
    const { error } = await call(member, 'create_chat', {
      member_ids: [one.id, two.id],
      name: '',
      first_message: 'Hi',
    })
    expect(error?.message).toBe('Please enter a group name')
  })
})

test('a role is admin or user', async () => {
  const { error } = await admin.client.from('users').update({ role: 'king' }).eq('id', member.id)
  expect(error?.message).toContain('Role must be user or admin')
})

test('the team’s time zone must exist', async () => {
  const { error } = await admin.client
    .from('team_settings')
    .update({ time_zone: 'Mars/Olympus' })
    .eq('id', true)
  expect(error?.message).toBe('Time zone must be a name such as America/New_York')
})

describe('malformed input is a client error', () => {
  const participant = (values: object) =>
    member.client.from('chat_participants').insert({ chat_id: team.mandatoryChatId, ...values })

  test.each([
    ['an id that is none', () => member.client.from('chats').select('*').eq('id', '42')],
    ['a list that is none', () => own({ hidden_chats: 'none' })],
    ['a list of what is no id', () => own({ archived_chats: ['a'] })],
    ['an empty name where text is needed', () => own({ first_name: null })],
    ['a name without end', () => own({ first_name: 'x'.repeat(101) })],
    ['a permission that is neither yes nor no', () => own({ can_send_messages: 'maybe' })],
    ['a zero byte', () => say('a\u0000b')],
    ['half a character', () => say('\ud83e')],
    ['somebody who does not exist', () => participant({ user_id: randomUUID() })],
    ['a column that does not exist', () => participant({ user_id: member.id, colour: 'red' })],
    ['a number beyond every limit', () => add({ sort_order: 10 ** 12 })],
    ['a members list that is none', () => create({ member_ids: 'everybody' })],
    ['an argument that does not exist', () => create({ colour: 'red' })],
  ])('%s', async (_what, attempt) => {
    const { error, status } = await attempt()
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(error?.message).toMatch(/\w{3}/)
  })

  const own = (values: object) =>
    member.client.from('users').update(values).eq('id', member.id).select()
  const say = (message: string) =>
    member.client
      .from('chat_messages')
      .insert({ chat_id: team.mandatoryChatId, sender_id: member.id, message })
  const add = (values: Record<string, unknown>) =>
    admin.client.from('home_content').insert(anItem('home', values))
  const create = (values: object) =>
    call(member, 'create_chat', { member_ids: [], name: null, first_message: 'Hi', ...values })
})
