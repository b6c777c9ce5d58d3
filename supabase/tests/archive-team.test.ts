// Chats, the team, its notices and what leaders change, as the archive has them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGroup, recordedBy, recordsOf, send } from './archive-records.ts'
import { publishNotice } from './publish-notice.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ada: Person
let maya: Person
let theo: Person
let chatId: string

beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', lastName: 'Admin', isAdmin: true })
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
  theo = await team.aMember({ firstName: 'Theo', lastName: 'Brandt' })
  chatId = await aGroup(maya, [theo, ada])
})
afterAll(() => team?.close())

const byMaya = () => ({
  actor_id: maya.id,
  actor_name: 'Maya Ortiz',
  actor_email: maya.email,
  actor_role: 'authenticated',
})

describe('a chat', () => {
  test('that is renamed, closed and handed over is archived', async () => {
    const chat = await aGroup(maya, [theo, ada])
    const added = await recordedBy(team, async () => {
      await maya.client.from('chats').update({ name: 'Openers' }).eq('id', chat).throwOnError()
      await team.sql('update public.chats set created_by = $2 where id = $1', [chat, theo.id])
      await theo.client.from('chats').update({ is_active: false }).eq('id', chat).throwOnError()
    })
    expect(added).toMatchObject([
      { ...byMaya(), kind: 'chat.renamed', content: { before: 'Closers', name: 'Openers' } },
      { kind: 'chat.handed_over', content: { before: maya.id, created_by: theo.id } },
      { kind: 'chat.closed', actor_name: 'Theo Brandt' },
    ])
  })

  test('that somebody leaves, is removed from and returns to is archived', async () => {
    const chat = await aGroup(maya, [theo, ada])
    const of = (person: Person, by: Person, is_active: boolean) =>
      by.client
        .from('chat_participants')
        .update({ is_active })
        .match({ chat_id: chat, user_id: person.id })
        .throwOnError()
    const added = await recordedBy(team, async () => {
      await of(theo, theo, false)
      await of(ada, maya, false)
      await of(theo, maya, true)
    })
    expect(added).toMatchObject([
      { kind: 'chat.left', actor_id: theo.id, member_id: theo.id, content: {} },
      {
        kind: 'chat.left',
        ...byMaya(),
        member_id: ada.id,
        content: { member: { name: 'Ada Admin' } },
      },
      { kind: 'chat.joined', ...byMaya(), member_id: theo.id },
    ])
  })

  test('that is read or muted adds nothing', async () => {
    const added = await recordedBy(team, async () => {
      await call(theo, 'mark_chat_read', { chat_id: chatId })
      await theo.client
        .from('chat_participants')
        .update({ muted_until: 'infinity' })
        .match({ chat_id: chatId, user_id: theo.id })
        .throwOnError()
    })
    expect(added).toEqual([])
  })
})

describe('a member', () => {
  test('who joins, takes another name and becomes an admin is archived each time', async () => {
    let sam: Person | undefined
    const added = await recordedBy(team, async () => {
      sam = await team.aMember({ firstName: 'Sam', lastName: 'Hill' })
      await sam.client.from('users').update({ last_name: 'Stone' }).eq('id', sam.id).throwOnError()
      await ada.client.from('users').update({ role: 'admin' }).eq('id', sam.id).throwOnError()
    })
    expect(added).toMatchObject([
      {
        kind: 'member.joined',
        member_id: sam?.id,
        content: { name: 'Sam Hill', email: sam?.email },
      },
      { kind: 'chat.joined', member_id: sam?.id, chat_id: team.mandatoryChatId },
      {
        kind: 'member.changed',
        actor_id: sam?.id,
        content: { before: { name: 'Sam Hill' }, after: { name: 'Sam Stone' } },
      },
      { kind: 'member.changed', actor_id: ada.id, content: { after: { role: 'admin' } } },
    ])
  })

  test('who deletes the account is still named in the archive', async () => {
    const sam = await team.aMember({ firstName: 'Sam', lastName: 'Hill' })
    const id = await send(sam, 'I was here', team.mandatoryChatId)
    const added = await recordedBy(team, () =>
      team.sql('delete from auth.users where id = $1', [sam.id]),
    )
    expect(added).toMatchObject([
      { kind: 'member.left', member_id: sam.id, content: { name: 'Sam Hill', email: sam.email } },
      { kind: 'chat.left', content: { member: { name: 'Sam Hill', email: sam.email } } },
    ])
    expect(await recordsOf(team, id)).toMatchObject([
      { actor_name: 'Sam Hill', actor_email: sam.email },
    ])
  })
})

test('who deletes their own account is named as who did it', async () => {
  const sam = await team.aMember({ firstName: 'Sam', lastName: 'Hill' })
  const amr = [{ method: 'password', timestamp: Math.floor(Date.now() / 1000) }]
  const claimsText = JSON.stringify({ role: 'authenticated', sub: sam.id, amr })
  const added = await recordedBy(team, () =>
    team.backend.database.runAs(
      { role: 'authenticated', claimsText },
      { text: 'select public.delete_my_account()' },
    ),
  )
  expect(added).toMatchObject([
    { kind: 'member.left', actor_name: 'Sam Hill', actor_email: sam.email },
    { kind: 'chat.left', actor_name: 'Sam Hill', actor_email: sam.email },
  ])
})

describe('a notice', () => {
  test('is archived when written, published, delivered, acknowledged and withdrawn', async () => {
    const added = await recordedBy(team, async () => {
      const id = await publishNotice(ada, {
        must_acknowledge: true,
        audience: 'members',
        audience_members: [maya.id, theo.id],
      })
      await call(maya, 'acknowledge_notice', { notice_id: id })
      await call(maya, 'acknowledge_notice', { notice_id: id })
      await ada.client
        .from('team_notices')
        .update({ cancelled_at: new Date().toISOString() })
        .eq('id', id)
        .throwOnError()
    })
    expect(added).toMatchObject([
      { kind: 'notice.written', actor_name: 'Ada Admin', content: { title: 'Kick-off at nine' } },
      { kind: 'notice.published', audience: 'notice', content: { text: 'In the big room' } },
      { kind: 'notice.delivered', content: { count: 2 } },
      { kind: 'notice.acknowledged', ...byMaya(), member_id: maya.id },
      { kind: 'notice.withdrawn' },
    ])
  })

  test('that is changed before it goes out keeps both versions', async () => {
    const id = await publishNotice(ada, { scheduled_for: '2999-01-01T00:00:00Z' })
    await ada.client
      .from('team_notices')
      .update({ body: 'In the small room' })
      .eq('id', id)
      .throwOnError()
    expect(await recordsOf(team, id)).toMatchObject([
      { kind: 'notice.written' },
      {
        kind: 'notice.changed',
        content: { before: { text: 'In the big room' }, after: { text: 'In the small room' } },
      },
    ])
  })
})

test('what leaders change is copied from the audit log, with who did it by name', async () => {
  await call(ada, 'set_member_status', {
    member_id: (await team.aMember()).id,
    status: 'suspended',
    reason: 'Licence expired',
  })
  const [record] = await team.sql<{ actor_name: string; audience: string; content: object }>(
    `select r.actor_name, r.audience, r.content from archive.records r
     where r.kind = 'audit.member' order by r.seq desc limit 1`,
  )
  expect(record).toMatchObject({
    actor_name: 'Ada Admin',
    audience: 'admins',
    content: { after: { status: 'suspended' }, on_behalf_of: null },
  })
})

describe('the audience of a record', () => {
  const audience = async (seq: number | undefined) =>
    (
      await team.sql<{ name: string }>(
        'select a.name from archive.audience_of($1) a order by a.name',
        [seq],
      )
    ).map(({ name }) => name)
  const seqOf = async (id: string) => (await recordsOf(team, id))[0]?.seq

  test('of a message is who took part when it was sent, by their names of the time', async () => {
    const sam = await team.aMember({ firstName: 'Sam', lastName: 'Hill' })
    const chat = await aGroup(maya, [theo, sam])
    const first = await send(maya, 'With Sam', chat)
    await sam.client.from('users').update({ last_name: 'Stone' }).eq('id', sam.id).throwOnError()
    const second = await send(maya, 'With Sam Stone', chat)
    await team.sql('delete from auth.users where id = $1', [sam.id])
    const third = await send(maya, 'Without Sam', chat)
    expect(await audience(await seqOf(first))).toEqual(['Maya Ortiz', 'Sam Hill', 'Theo Brandt'])
    expect(await audience(await seqOf(second))).toEqual(['Maya Ortiz', 'Sam Stone', 'Theo Brandt'])
    expect(await audience(await seqOf(third))).toEqual(['Maya Ortiz', 'Theo Brandt'])
  })

  test('of the mandatory chat leaves out who cannot see it, and who is suspended', async () => {
    const off = await team.aMember({ firstName: 'Rally', lastName: 'Off', rallyEnabled: false })
    const away = await team.aMember({ firstName: 'Sus', lastName: 'Pended' })
    await call(ada, 'set_member_status', { member_id: away.id, status: 'suspended', reason: 'x' })
    const readers = await audience(await seqOf(await send(maya, 'To all', team.mandatoryChatId)))
    expect(readers).toContain('Ada Admin')
    expect(readers).not.toContain('Rally Off')
    expect(readers).not.toContain('Sus Pended')
    expect(off.id).toBeTruthy()
  })

  test('of a notice is whom it was written to; of a notice in the making, the admins', async () => {
    const id = await publishNotice(ada, { audience: 'chat', audience_chat_id: chatId })
    const [written, published] = await recordsOf(team, id)
    expect(await audience(published?.seq)).toEqual(['Ada Admin', 'Maya Ortiz', 'Theo Brandt'])
    expect(await audience(written?.seq)).not.toContain('Maya Ortiz')
    expect(await audience(written?.seq)).toContain('Ada Admin')
    const two = await publishNotice(ada, { audience: 'members', audience_members: [theo.id] })
    expect(await audience((await recordsOf(team, two))[1]?.seq)).toEqual(['Theo Brandt'])
  })

  test('of a chat of thousands is not stored with its messages, and reads a few pages for each reader', async () => {
    await team.sql(
      `insert into auth.users (id, email, aud, role, email_confirmed_at, created_at)
       select gen_random_uuid(), 'many' || n || '@example.com', 'authenticated', 'authenticated', now(), now()
       from generate_series(1, 3000) n`,
    )
    const id = await send(maya, 'To thousands', team.mandatoryChatId)
    const [record] = await recordsOf(team, id)
    expect(JSON.stringify(record).length).toBeLessThan(1000)
    const readers = (await audience(record?.seq)).length
    expect(readers).toBeGreaterThan(3000)
    const [explained] = await team.sql<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, format json) select * from archive.audience_of(${record?.seq})`,
    )
    const plan = explained?.['QUERY PLAN'][0]?.Plan
    const pages = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
    expect(pages / readers).toBeGreaterThan(0)
    expect(pages / readers).toBeLessThan(5)
  }, 60_000)
})
