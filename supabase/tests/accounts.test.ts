// A member's account, from the first sign-in to its deletion.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aTeam, type Team } from './team.ts'

type MemberRow = { id: string; first_name: string; role: string; email: string | null }

describe('a team', () => {
  let team: Team
  beforeEach(async () => {
    team = await aTeam()
  })
  afterEach(() => team.close())

  const row = async (id: string) =>
    (await team.sql<MemberRow>('select * from private.members where id = $1', [id]))[0]

  test('the profile is correct whatever the client sends', async () => {
    const ann = await team.aMember({ firstName: 'Ann' })
    await team.sql('delete from private.chat_participants where user_id = $1', [ann.id])
    await team.sql('delete from private.members where id = $1', [ann.id])
    const missing = await ann.client.from('users').select('*').eq('id', ann.id).single<object>()
    expect(missing.error?.code).toBe('PGRST116')

    const { data, error } = await ann.client
      .from('users')
      .insert({
        id: randomUUID(),
        email: 'boss@example.com',
        first_name: 'Annie',
        last_name: 'Lee',
        role: 'admin',
      })
      .select()
      .single<object>()
    expect(error).toBeNull()
    expect(data).toMatchObject({
      id: ann.id,
      email: ann.email,
      first_name: 'Annie',
      last_name: 'Lee',
      role: 'user',
      can_send_messages: true,
    })
    const chats = await ann.client.from('chats').select('type')
    expect(chats.data).toEqual([{ type: 'mandatory' }])
  })

  test('inserting one’s own profile again returns it unchanged', async () => {
    const ann = await team.aMember({ firstName: 'Ann' })
    await team.sql("update private.members set push_token = 'kept' where id = $1", [ann.id])
    const { data, error } = await ann.client
      .from('users')
      .insert({ id: ann.id, email: ann.email, first_name: 'Other', last_name: '', role: 'user' })
      .select()
      .single<object>()
    expect(error).toBeNull()
    expect(data).toMatchObject({ first_name: 'Ann', push_token: 'kept' })
  })

  test('a name shows what it is: nothing in it hides or turns the direction, and scripts keep their joiners', async () => {
    const ann = await team.aMember({ firstName: 'Ann' })
    const name = {
      first_name: 'Da\u200bna\u2060',
      last_name: '\u202eseyeR\u2066 \u0646\u200c\u0627',
    }
    await ann.client.from('users').update(name).eq('id', ann.id).throwOnError()
    expect(await row(ann.id)).toMatchObject({
      first_name: 'Dana',
      last_name: 'seyeR \u0646\u200c\u0627',
    })
  })

  test('every new member is in the mandatory chat', async () => {
    const ann = await team.aMember()
    const { data } = await ann.client
      .from('chat_participants')
      .select('chat_id, is_active')
      .eq('user_id', ann.id)
    expect(data).toEqual([{ chat_id: team.mandatoryChatId, is_active: true }])
  })

  test('a changed e-mail address updates the profile', async () => {
    const ann = await team.aMember()
    await team.sql("update auth.users set email = 'new@example.com' where id = $1", [ann.id])
    expect(await row(ann.id)).toMatchObject({ email: 'new@example.com' })
  })

  test.each([
    'delete from auth.users where id = $1',
    'update auth.users set deleted_at = now() where id = $1',
  ])('who leaves takes every personal detail and leaves readable messages: %s', async (leave) => {
    const [ann, bea] = [await team.aMember({ firstName: 'Ann' }), await team.aMember()]
    await ann.client
      .from('users')
      .update({ push_token: 'short', hidden_chats: [team.mandatoryChatId] })
      .eq('id', ann.id)
    await ann.client
      .from('chat_messages')
      .insert({ chat_id: team.mandatoryChatId, sender_id: ann.id, message: 'Bye' })
    await team.sql(leave, [ann.id])

    expect(await row(ann.id)).toMatchObject({
      first_name: 'Former',
      last_name: 'member',
      email: null,
      push_token: null,
      hidden_chats: [],
      is_active: false,
    })
    const { data } = await bea.client
      .from('chat_messages')
      .select('message, users!sender_id(first_name, last_name, email)')
      .eq('sender_id', ann.id)
    expect(data).toEqual([
      { message: 'Bye', users: { first_name: 'Former', last_name: 'member', email: null } },
    ])
    const list = await bea.client.rpc('chat_list').returns<{ last_sender_name: string }[]>()
    expect(list.data).toMatchObject([{ last_sender_name: 'Former member', member_count: 2 }])
  })

  test('a token that outlives its account grants nothing', async () => {
    const ann = await team.aMember()
    await team.sql('delete from auth.users where id = $1', [ann.id])
    for (const table of ['users', 'chats', 'chat_messages', 'home_content', 'team_settings']) {
      const { data } = await ann.client.from(table).select('*')
      expect(data, table).toEqual([])
    }
    const participants = await ann.client
      .from('chat_participants')
      .select('*')
      .neq('user_id', ann.id)
    expect(participants.data).toEqual([])
    const back = await ann.client
      .from('users')
      .insert({ id: ann.id, email: ann.email, role: 'user' })
    expect(back.error?.message).toBe('There is no account for this profile')
  })

  test('the last admin can neither step down nor leave', async () => {
    const [first] = await team.sql<{ id: string }>(
      "select id from private.members where role = 'admin'",
    )
    const admin = await team.aMember({ isAdmin: true })
    await team.sql("update private.members set role = 'user' where id = $1", [first?.id])
    const stepDown = await admin.client.from('users').update({ role: 'user' }).eq('id', admin.id)
    expect(stepDown.error?.message).toBe('The last admin cannot be removed')
    await expect(team.sql('delete from auth.users where id = $1', [admin.id])).rejects.toThrow(
      'The last admin cannot be removed',
    )
    const heir = await admin.client
      .from('users')
      .update({ role: 'admin' })
      .eq('id', first?.id)
      .select()
    expect(heir.data).toHaveLength(1)
    expect(
      (await admin.client.from('users').update({ role: 'user' }).eq('id', admin.id)).error,
    ).toBeNull()
  })

  test('two admins who demote each other concurrently leave one', async () => {
    const [one, two] = [
      await team.aMember({ isAdmin: true }),
      await team.aMember({ isAdmin: true }),
    ]
    await team.sql("update private.members set role = 'user' where email = 'first@example.com'")
    await Promise.all([
      one.client.from('users').update({ role: 'user' }).eq('id', two.id),
      two.client.from('users').update({ role: 'user' }).eq('id', one.id),
    ])
    expect(await team.sql("select from private.members where role = 'admin'")).toHaveLength(1)
  })
})
