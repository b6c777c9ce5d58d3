// What the audit log records of what leaders do, and what it leaves out.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anItem, CONTENT } from './rights-cases-content.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

type Entry = {
  id: number
  actor_id: string | null
  kind: string
  action: string
  object_id: string | null
  object_name: string | null
  people: string[]
  before: object | null
  after: object | null
  details: object
}

let team: Team
let admin: Person
let member: Person
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ firstName: 'Ada', isAdmin: true })
  member = await team.aMember({ firstName: 'Mel' })
})
afterAll(() => team?.close())

let start = 0
beforeEach(async () => {
  const [last] = await team.sql<{ id: number }>(
    'select coalesce(max(id), 0)::int as id from private.audit_log',
  )
  start = last?.id ?? 0
})

/** What was recorded since the test began, the oldest first. */
const recorded = () =>
  team.sql<Entry>(
    `select id::int, actor_id, kind, action, object_id, object_name, people, before, after, details
     from private.audit_log where id > $1 order by recorded_at, id`,
    [start],
  )
const expectOk = async (request: PromiseLike<{ error: unknown }>) =>
  expect((await request).error).toBeNull()

describe('members', () => {
  test('a role, a permission and a status are recorded with who, whom, before, after and reason', async () => {
    const rep = await team.aMember()
    start = (await recorded()).at(-1)?.id ?? start
    await expectOk(admin.client.from('users').update({ role: 'admin' }).eq('id', rep.id))
    await expectOk(admin.client.from('users').update({ can_send_messages: false }).eq('id', rep.id))
    await expectOk(
      call(admin, 'set_member_status', {
        member_id: rep.id,
        status: 'removed',
        reason: 'Left for good',
      }),
    )
    const about = { kind: 'member', action: 'changed', actor_id: admin.id, object_id: rep.id }
    expect(await recorded()).toMatchObject([
      { ...about, people: [rep.id], before: { role: 'user' }, after: { role: 'admin' } },
      { ...about, before: { can_send_messages: true }, after: { can_send_messages: false } },
      {
        ...about,
        before: { role: 'admin', status: 'active' },
        after: { role: 'user', status: 'removed' },
        details: { reason: 'Left for good' },
      },
    ])
  })

  test('what a member changes of their own profile is not recorded', async () => {
    await expectOk(
      member.client
        .from('users')
        .update({ first_name: 'Melanie', push_token: 'secret', hidden_chats: [] })
        .eq('id', member.id),
    )
    expect(await recorded()).toEqual([])
  })

  test('joining is recorded as the member’s own doing, deleting the account without a name', async () => {
    const rep = await team.aMember({ firstName: 'Unforgettable' })
    await team.sql('delete from auth.users where id = $1', [rep.id])
    expect(await recorded()).toMatchObject([
      { action: 'joined', actor_id: rep.id, object_id: rep.id, after: { role: 'user' } },
      {
        action: 'changed',
        actor_id: null,
        before: { status: 'active' },
        after: { status: 'deleted' },
      },
    ])
    const [kept] = await team.sql<{ text: string }>(
      'select string_agg(e::text, $2) as text from private.audit_log e where $1 = any (people)',
      [rep.id, ' '],
    )
    expect(kept?.text).not.toMatch(/Unforgettable|@example/)
  })

  test('a change without a signed-in member has no actor', async () => {
    await expectOk(
      team.service().client.from('users').update({ can_create_chats: false }).eq('id', member.id),
    )
    expect(await recorded()).toMatchObject([{ actor_id: null, after: { can_create_chats: false } }])
  })

  test('what is refused or rolled back is not recorded', async () => {
    await member.client.from('users').update({ role: 'admin' }).eq('id', member.id)
    await team.sql('begin')
    await team.sql("update private.members set role = 'admin' where id = $1", [member.id])
    await team.sql('rollback')
    expect(await recorded()).toEqual([])
  })
})

describe('settings', () => {
  test('every column of team_settings is recorded when it changes', async () => {
    const columns = await team.sql<{ column: string; type: string }>(
      `select a.attname as column, format_type(a.atttypid, null) as type from pg_attribute a
       where a.attrelid = 'public.team_settings'::regclass and a.attnum > 0 and not a.attisdropped
         and a.attname <> 'id'`,
    )
    const other: Record<string, string> = {
      time_zone: `'Europe/Madrid'`,
      registration: `case registration when 'open' then 'approval' else 'open' end`,
      email_domains: `'{example.com}'`,
      vice_presidents: `array['${member.id}'::uuid]`,
    }
    expect(columns.length).toBeGreaterThan(3)
    for (const { column, type } of columns) {
      const [last] = (await recorded()).slice(-1)
      const value = other[column] ?? (type === 'boolean' ? `not ${column}` : undefined)
      expect(value, `a value for ${column}`).toBeDefined()
      await team.sql('begin')
      await team.sql(`update public.team_settings set ${column} = ${value}`)
      const [entry] = (await recorded()).filter(({ id }) => id > (last?.id ?? 0))
      expect(entry, column).toMatchObject({ kind: 'setting', action: 'changed' })
      expect(Object.keys(entry?.before ?? {}), column).toEqual([column])
      await team.sql('rollback')
    }
  })

  test('choosing a vice president concerns that member', async () => {
    const chosen = { member_id: member.id, is_vice_president: true }
    await expectOk(call(admin, 'set_vice_president', chosen))
    await expectOk(call(admin, 'set_vice_president', chosen))
    await expectOk(call(admin, 'set_vice_president', { ...chosen, is_vice_president: false }))
    expect(await recorded()).toMatchObject([
      {
        actor_id: admin.id,
        people: [member.id],
        before: { vice_presidents: [] },
        after: { vice_presidents: [member.id] },
      },
      { people: [member.id], after: { vice_presidents: [] } },
    ])
  })

  test('saving a setting as it was is no change', async () => {
    await expectOk(
      admin.client.from('team_settings').update({ time_zone: 'America/New_York' }).eq('id', true),
    )
    expect(await recorded()).toEqual([])
  })
})

describe('content', () => {
  test.each(CONTENT)('%s: adding, editing, deleting and restoring an item', async (type) => {
    const table = admin.client.from(`${type}_content`)
    const { data } = await table
      .insert(anItem(type, { title: 'Script' }))
      .select('id')
      .single()
    const { id } = data as { id: string }
    await expectOk(table.update({ title: 'Better script' }).eq('id', id))
    await expectOk(table.update({ is_active: false }).eq('id', id))
    await expectOk(table.update({ is_active: true }).eq('id', id))
    await team.sql(`delete from public.${type}_content where id = $1`, [id])
    const about = { kind: 'content', object_id: id, details: { list: type } }
    expect(await recorded()).toMatchObject([
      { ...about, action: 'created', before: null, after: { title: 'Script' }, actor_id: admin.id },
      {
        ...about,
        action: 'changed',
        object_name: 'Better script',
        before: { title: 'Script' },
        after: { title: 'Better script' },
      },
      { ...about, action: 'changed', before: { is_active: true }, after: { is_active: false } },
      { ...about, action: 'changed', before: { is_active: false }, after: { is_active: true } },
      {
        ...about,
        action: 'deleted',
        before: { title: 'Better script' },
        after: null,
        actor_id: null,
      },
    ])
  })

  test('a new order of many items is one entry', async () => {
    const titles = ['One', 'Two', 'Three']
    const { data } = await admin.client
      .from('home_content')
      .insert(titles.map((title, sort_order) => ({ title, sort_order })))
      .select('id')
    const ids = (data as { id: string }[]).map(({ id }) => id)
    start = (await recorded()).at(-1)?.id ?? start
    await expectOk(
      call(admin, 'reorder_content', { content_type: 'home', item_ids: ids.toReversed() }),
    )
    expect(await recorded()).toMatchObject([
      {
        kind: 'content',
        action: 'reordered',
        object_id: null,
        details: { list: 'home' },
        before: { order: ['One', 'Two', 'Three'] },
        after: { order: ['Three', 'Two', 'One'] },
      },
    ])
  })

  test('a long text is shortened around the change and says how long it is, a password is hidden', async () => {
    const text = `${'word '.repeat(1000)}old${' word'.repeat(500)}`
    const item = anItem('schedule', { description: text, meeting_password: 'hunter2' })
    const { data } = await admin.client.from('schedule_content').insert(item).select('id').single()
    const { id } = data as { id: string }
    await expectOk(
      admin.client
        .from('schedule_content')
        .update({ description: text.replace('old', 'new'), meeting_password: 'hunter3' })
        .eq('id', id),
    )
    const entries = await recorded()
    expect(entries[1]).toMatchObject({
      before: {
        description: {
          skipped: 4940,
          length: text.length,
          text: expect.stringMatching(/old/) as string,
        },
        meeting_password: { hidden: true },
      },
      after: { description: { text: expect.stringMatching(/new/) as string } },
    })
    expect(JSON.stringify(entries)).not.toContain('hunter')
    expect(JSON.stringify(entries).length).toBeLessThan(4000)
  })
})

describe('chats', () => {
  const create = async (by: Person, others: Person[], name = '') => {
    const { data, error } = await call<string>(by, 'create_chat', {
      member_ids: others.map(({ id }) => id),
      name,
      first_message: 'Hello',
    })
    expect(error).toBeNull()
    return data ?? ''
  }

  test('making, naming and closing a group, and whom somebody adds or takes out', async () => {
    const [one, two, three] = [await team.aMember(), await team.aMember(), await team.aMember()]
    start = (await recorded()).at(-1)?.id ?? start
    const id = await create(admin, [one, two], 'Squad')
    await expectOk(call(admin, 'add_chat_members', { chat_id: id, member_ids: [three.id] }))
    const place = admin.client.from('chat_participants')
    await expectOk(place.update({ is_active: false }).match({ chat_id: id, user_id: one.id }))
    await expectOk(call(admin, 'add_chat_members', { chat_id: id, member_ids: [one.id] }))
    await expectOk(admin.client.from('chats').update({ name: 'Troop' }).eq('id', id))
    await expectOk(admin.client.from('chats').update({ is_active: false }).eq('id', id))
    await expectOk(team.service().client.from('chats').delete().eq('id', id))
    const about = { kind: 'chat', object_id: id, actor_id: admin.id }
    const entries = await recorded()
    expect(entries).toMatchObject([
      { ...about, action: 'created', object_name: 'Squad' },
      { ...about, action: 'members_added', details: { count: 2 } },
      { ...about, action: 'members_added', people: [three.id], details: { count: 1 } },
      { ...about, action: 'members_removed', people: [one.id] },
      { ...about, action: 'members_added', people: [one.id] },
      { ...about, action: 'changed', before: { name: 'Squad' }, after: { name: 'Troop' } },
      { ...about, action: 'changed', before: { is_active: true }, after: { is_active: false } },
      { kind: 'chat', action: 'deleted', actor_id: null, object_name: 'Troop' },
    ])
    expect(entries[1]?.people.toSorted()).toEqual([one.id, two.id].toSorted())
  })

  test('a suspended creator’s group says who has it now', async () => {
    const [creator, one, two] = [await team.aMember(), await team.aMember(), await team.aMember()]
    const id = await create(creator, [one, two], 'Squad')
    start = (await recorded()).at(-1)?.id ?? start
    const suspension = { member_id: creator.id, status: 'suspended', reason: 'Away' }
    await expectOk(call(admin, 'set_member_status', suspension))
    expect(await recorded()).toContainEqual(
      expect.objectContaining({
        kind: 'chat',
        object_id: id,
        actor_id: admin.id,
        before: { created_by: creator.id },
      }),
    )
  })

  test('messages, reading, leaving, chats of two and everything about a deleted account’s chats are not recorded', async () => {
    const [one, two] = [await team.aMember(), await team.aMember()]
    const group = await create(admin, [one, two], 'Squad')
    start = (await recorded()).at(-1)?.id ?? start
    await create(one, [two])
    await expectOk(
      one.client
        .from('chat_messages')
        .insert({ chat_id: group, sender_id: one.id, message: 'Hello' }),
    )
    await expectOk(call(two, 'mark_chat_read', { chat_id: group }))
    await expectOk(
      one.client
        .from('chat_messages')
        .update({ is_deleted: true })
        .match({ chat_id: group, sender_id: one.id }),
    )
    const place = { chat_id: group, user_id: one.id }
    await expectOk(one.client.from('chat_participants').update({ is_active: false }).match(place))
    await expectOk(call(one, 'rejoin_chat', { chat_id: group }))
    await team.sql('delete from auth.users where id = $1', [two.id])
    expect((await recorded()).map(({ kind, action }) => `${kind} ${action}`)).toEqual([
      'member changed',
    ])
  })

  test('a message that an admin removed: whose and where, without the text and the reason', async () => {
    const { data } = await member.client
      .from('chat_messages')
      .insert({ chat_id: team.mandatoryChatId, sender_id: member.id, message: 'Guaranteed 12 %' })
      .select('id')
      .single()
    const { id } = data as { id: string }
    await expectOk(
      admin.client
        .from('chat_messages')
        .update({ is_deleted: true, deleted_reason: 'A promised return' })
        .eq('id', id),
    )
    const entries = await recorded()
    expect(entries).toMatchObject([
      {
        kind: 'message',
        action: 'removed',
        actor_id: admin.id,
        object_id: id,
        object_name: 'Rally Chat',
        people: [member.id],
      },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/Guaranteed|promised/)
    await team.sql('delete from public.chat_messages where id = $1', [id])
    expect((await recorded())[1]).toMatchObject({ action: 'erased', details: { count: 1 } })
  })
})

describe('notices, invitations and the second factor', () => {
  test('a notice that is written, changed, withdrawn and deleted; its going out is none of it', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const { data } = await admin.client
      .from('team_notices')
      .insert({ title: 'Kick-off', body: 'At nine', scheduled_for: tomorrow })
      .select('id')
      .single()
    const { id } = data as { id: string }
    const notice = admin.client.from('team_notices')
    await expectOk(notice.update({ body: 'At ten' }).eq('id', id))
    await team.sql('select private.publish_notice($1)', [id])
    await expectOk(notice.update({ cancelled_at: new Date().toISOString() }).eq('id', id))
    await team.sql('delete from public.team_notices where id = $1', [id])
    const entries = await recorded()
    expect(entries).toMatchObject([
      {
        kind: 'notice',
        action: 'created',
        object_id: id,
        after: { title: 'Kick-off', body: 'At nine' },
      },
      { action: 'changed', before: { body: 'At nine' }, after: { body: 'At ten' } },
      { action: 'changed', before: { cancelled_at: null } },
      { action: 'deleted', before: { title: 'Kick-off' }, after: null },
    ])
  })

  test('the members a notice is for are listed up to twenty, with how many', async () => {
    const audience_members = Array.from({ length: 500 }, () => member.id)
    await expectOk(
      admin.client
        .from('team_notices')
        .insert({ title: 'You', audience: 'members', audience_members }),
    )
    const [entry] = await recorded()
    expect(entry?.after).toMatchObject({
      audience_members: { items: Array.from({ length: 20 }, () => member.id), length: 500 },
    })
  })

  test('a join link is recorded without its token', async () => {
    const { data } = await admin.client.from('join_links').insert({}).select('id').single()
    const link = data as { id: string }
    const { data: token } = await call<string>(admin, 'show_join_link', { link_id: link.id })
    await expectOk(call(admin, 'take_back_join_link', { link_id: link.id }))
    await team.sql('delete from public.join_links where id = $1', [link.id])
    const entries = await recorded()
    expect(entries).toMatchObject([
      { kind: 'invitation', action: 'link_created', actor_id: admin.id, object_id: link.id },
      { action: 'link_taken_back', actor_id: admin.id, before: { revoked_at: null } },
      { action: 'link_deleted', actor_id: null, people: [admin.id] },
    ])
    expect(JSON.stringify(entries)).not.toContain(token)
  })

  test('invitations by mail are one entry a call, without the addresses', async () => {
    const ids = await team.sql<{ id: string }>(
      `insert into public.invitations (email, invited_by)
       select n || '@elsewhere.example', $1 from generate_series(1, 30) n returning id`,
      [admin.id],
    )
    await team.sql(`update public.invitations set expires_at = expires_at + interval '1 day'`)
    await team.sql('update public.invitations set revoked_at = now() where id = $1', [ids[0]?.id])
    await team.sql(`update public.invitations set bounced_at = now(), times_sent = 3`)
    const entries = await recorded()
    expect(entries).toMatchObject([
      {
        kind: 'invitation',
        action: 'invited',
        actor_id: admin.id,
        people: expect.arrayContaining(ids.map(({ id }) => id)) as string[],
        details: { count: 30 },
      },
      { action: 'invited_again', actor_id: admin.id, details: { count: 30 } },
      {
        action: 'invitation_taken_back',
        actor_id: null,
        object_id: ids[0]?.id,
        people: expect.arrayContaining([admin.id, ids[0]?.id]) as string[],
        details: { count: 1, invited_by: admin.id },
      },
    ])
    expect(JSON.stringify(entries)).not.toContain('elsewhere')
  })
})

test('inserting a message runs no trigger of the audit log', async () => {
  const triggers = await team.sql<{ name: string }>(
    `select tgname as name from pg_trigger
     where tgrelid = 'public.chat_messages'::regclass and tgfoid::regproc::text like 'private.record%'
       and tgtype & 4 <> 0`,
  )
  expect(triggers).toEqual([])
})

describe('append only', () => {
  test.each([
    ['update', `update private.audit_log set actor_id = null`],
    ['delete', `delete from private.audit_log`],
    ['truncate', `truncate private.audit_log`],
  ])('not even the owner of the tables can %s entries', async (_, statement) => {
    await expect(team.sql(statement)).rejects.toThrow('The audit log is never changed')
  })

  test.each(['anon', 'authenticated', 'service_role'])(
    '%s has no access to the table',
    async (role) => {
      for (const statement of [
        'select from private.audit_log',
        `insert into private.audit_log (kind, action) values ('member', 'changed')`,
        `update private.audit_log set action = 'x'`,
        'delete from private.audit_log',
        'truncate private.audit_log',
        `select private.record_change('member', 'joined', null, null, null, null)`,
        'select private.prune_audit_log()',
      ]) {
        await team.sql('begin')
        await team.sql(`set local role ${role}`)
        await expect(team.sql(statement), statement).rejects.toThrow('permission denied')
        await team.sql('rollback')
      }
    },
  )

  test('the push worker prunes what is older than two years, and nothing younger', async () => {
    await team.sql(
      `insert into private.audit_log (recorded_at, kind, action, object_name)
       select now() - age, 'chat', 'created', 'Old'
       from unnest(array[interval '2 years 1 hour', interval '2 years' - interval '1 hour']) age`,
    )
    await call(team.service(), 'claim_push_deliveries', { channels: [] })
    const left = await team.sql<{ is_old: boolean }>(
      `select recorded_at < now() - interval '2 years' as is_old
       from private.audit_log where object_name = 'Old'`,
    )
    expect(left).toEqual([{ is_old: false }])
  })
})
