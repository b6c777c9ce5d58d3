// Retention and legal holds: what expires goes with a trace, what is held stays, and an account learns the truth.
import { randomUUID } from 'node:crypto'
import { untilBlocked } from 'backend/testing/until-blocked.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aGroup,
  recordedBy,
  recordsOf,
  sealAll,
  send as sendTo,
  yearsAgo as recordedYearsAgo,
} from './archive-records.ts'
import { ownConnections } from './own-connections.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ada: Person
let maya: Person
let theo: Person

beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
  theo = await team.aMember({ firstName: 'Theo' })
})
const { aConnection, connectionOf, endConnections } = ownConnections(() => team)
afterAll(async () => {
  await endConnections()
  await team?.close()
})

const send = (person: Person, message: string, chatId = team.mandatoryChatId) =>
  sendTo(person, message, chatId)

const yearsAgo = <Result>(years: number, action: () => PromiseLike<Result>) =>
  recordedYearsAgo(team.sql, () => sealAll(team), years, action)

async function prune(): Promise<number> {
  let pruned = 0
  for (;;) {
    const { data, error } = await call<number>(team.service(), 'prune_archive')
    if (error) throw error
    if (!data) return pruned
    pruned += data
  }
}

const hold = (on: { member_id?: string; chat_id?: string; hold_id?: string }, by = ada) =>
  call<string>(by, 'place_legal_hold', { reason: 'Case 4711', hold_id: randomUUID(), ...on })
const lift = (id: string | null) => call(ada, 'lift_legal_hold', { hold_id: id, reason: 'Settled' })
const kindsOf = async (id: string) => (await recordsOf(team, id)).map(({ kind }) => kind)

describe('a record', () => {
  test('is pruned when its time is over, and the archive says which went', async () => {
    const [old, young] = [
      await yearsAgo(7, () => send(maya, 'Seven years old')),
      await yearsAgo(5, () => send(maya, 'Five years old')),
    ]
    const [record] = await recordsOf(team, old)
    const added = await recordedBy(team, prune)
    expect(await kindsOf(old)).toEqual([])
    expect(await kindsOf(young)).toEqual(['message.sent'])
    expect(added).toMatchObject([
      {
        kind: 'archive.pruned',
        actor_role: 'service_role',
        content: { count: 1, records: `{[${record?.seq},${(record?.seq ?? 0) + 1})}` },
      },
    ])
    expect(await prune()).toBe(0)
  })

  test('leaves its hash in the seal until all of the seal is pruned', async () => {
    const leaves = () =>
      team.sql<{ count: number; hashes: number | null }>(
        `select s.count, length(s.leaves) / 32 as hashes from archive.seals s
         where s.sealed_at < now() - interval '3 years' order by s.number desc limit 1`,
      )
    const chat = await yearsAgo(7, async () => {
      await send(maya, 'Goes')
      return aGroup(maya, [theo, ada])
    })
    await prune()
    // The chat goes on, so who is in it is kept.
    const [seal] = await leaves()
    expect(seal?.count).toBeGreaterThan(5)
    expect(seal?.hashes).toBe(seal?.count)
    expect(await kindsOf(chat)).toEqual([
      'chat.created',
      'chat.joined',
      'chat.joined',
      'chat.joined',
    ])
    const [gone] = [await yearsAgo(7, () => send(maya, 'Goes alone'))]
    await prune()
    expect(await leaves()).toEqual([{ count: 1, hashes: null }])
    expect(await kindsOf(gone)).toEqual([])
  })

  test('of a chat is kept until the chat has been gone for as long', async () => {
    const chat = await yearsAgo(8, () => aGroup(maya, [theo, ada]))
    await yearsAgo(7, () => team.service().client.from('chats').delete().eq('id', chat))
    await prune()
    expect(await kindsOf(chat)).toEqual([])
  })

  test('of a member is kept until they have been gone for as long', async () => {
    const sam = await yearsAgo(8, () => team.aMember({ firstName: 'Sam' }))
    const states = () =>
      team.sql<{ kind: string }>(
        'select r.kind from archive.records r where r.member_id = $1 order by r.seq',
        [sam.id],
      )
    await prune()
    expect(await states()).toEqual([{ kind: 'member.joined' }, { kind: 'chat.joined' }])
    await yearsAgo(7, () => team.sql('delete from auth.users where id = $1', [sam.id]))
    await prune()
    expect(await states()).toEqual([])
  })

  test('of another kind may be kept for longer, never for less than three years', async () => {
    const set = (years: number) =>
      call(ada, 'set_archive_retention', { category: 'message', years })
    expect((await set(2)).error).toMatchObject({
      message: expect.stringContaining('Records are kept for 3 to 100 years') as string,
    })
    const added = await recordedBy(team, () => set(10))
    expect(added).toMatchObject([
      { kind: 'archive.retention', actor_id: ada.id, content: { before: 6, years: 10 } },
    ])
    const old = await yearsAgo(7, () => send(maya, 'Kept for ten years'))
    await prune()
    expect(await kindsOf(old)).toEqual(['message.sent'])
    await set(6)
    await prune()
    expect(await kindsOf(old)).toEqual([])
  })
})

describe('a hold', () => {
  test('on a chat keeps what was said there, until it is lifted', async () => {
    const chat = await yearsAgo(7, () => aGroup(maya, [theo, ada]))
    const elsewhere = await yearsAgo(7, () => send(maya, 'Elsewhere'))
    const { data: id } = await hold({ chat_id: chat })
    await prune()
    expect(await kindsOf(chat)).toContain('message.sent')
    expect(await kindsOf(elsewhere)).toEqual([])
    await lift(id)
    await prune()
    expect(await kindsOf(chat)).not.toContain('message.sent')
  })

  test('on a member keeps what was said in every chat they were in, by others too', async () => {
    const sam = await team.aMember()
    const [with_, without] = [
      await yearsAgo(7, () => aGroup(maya, [theo, sam])),
      await yearsAgo(7, () => aGroup(maya, [theo, ada])),
    ]
    const { data: id } = await hold({ member_id: sam.id })
    await prune()
    expect(await kindsOf(with_)).toContain('message.sent')
    expect(await kindsOf(without)).not.toContain('message.sent')
    await lift(id)
  })

  test('stops servers and the SQL console from deleting what it covers', async () => {
    const chat = await aGroup(maya, [theo, ada])
    const message = await send(theo, 'Held', chat)
    const { data: id } = await hold({ chat_id: chat })
    const service = team.service().client
    const refused = { message: 'A legal hold keeps this' }
    expect((await service.from('chat_messages').delete().eq('id', message)).error).toMatchObject(
      refused,
    )
    expect((await service.from('chats').delete().eq('id', chat)).error).toMatchObject(refused)
    await expect(team.sql('delete from public.chats where id = $1', [chat])).rejects.toThrow(
      refused.message,
    )
    await lift(id)
    expect((await service.from('chats').delete().eq('id', chat)).error).toBeNull()
  })

  test('is placed and lifted once, each with who and why in the archive', async () => {
    const same = { member_id: theo.id, hold_id: randomUUID() }
    const added = await recordedBy(team, async () => {
      await hold(same)
      await hold(same)
      await lift(same.hold_id)
      await lift(same.hold_id)
    })
    expect(added).toMatchObject([
      {
        kind: 'hold.placed',
        actor_id: ada.id,
        member_id: theo.id,
        content: { reason: 'Case 4711' },
      },
      {
        kind: 'hold.lifted',
        actor_id: ada.id,
        subject_id: same.hold_id,
        content: { reason: 'Settled' },
      },
    ])
  })

  test('is listed with who lifted it and why', async () => {
    const { data: id } = await hold({ member_id: theo.id })
    const listed = async () => {
      const { data } = await call<{ id: string }[]>(ada, 'legal_holds')
      return data?.find((each) => each.id === id)
    }
    expect(await listed()).toMatchObject({ lifted_by_name: null, lift_reason: null })
    await lift(id)
    expect(await listed()).toMatchObject({ lifted_by_name: 'Ada Doe', lift_reason: 'Settled' })
  })

  test('can be placed on a group the admin is not in, found by its name alone', async () => {
    const chatId = await aGroup(maya, [theo, await team.aMember()], 'Señal 100%')
    const found = async (query: string, by = ada) =>
      (await call<{ id: string; title: string; members: number }[]>(by, 'find_groups', { query }))
        .data
    expect(await found('senal 100%')).toEqual([{ id: chatId, title: 'Señal 100%', members: 3 }])
    expect(await found('100_')).toEqual([])
    expect((await found(''))?.map(({ id }) => id)).toContain(team.mandatoryChatId)
    expect(await found('senal', maya)).toBeNull()
    await call(maya, 'create_chat', { member_ids: [theo.id], name: null, first_message: 'Hi' })
    expect(await found('Theo')).toEqual([])
    expect((await hold({ chat_id: chatId })).error).toBeNull()
    expect((await ada.client.from('chat_messages').select().eq('chat_id', chatId)).data).toEqual([])
  })

  test('needs a reason, and one member or chat that exists', async () => {
    const failure = async (some: object) =>
      (await call(ada, 'place_legal_hold', { reason: 'Case', ...some })).error?.message
    expect(await failure({ member_id: theo.id, reason: ' ' })).toContain(
      'Give a reason for the hold',
    )
    expect(await failure({})).toContain('A hold is on a member or a chat')
    expect(await failure({ member_id: randomUUID() })).toBe('This member no longer exists')
    expect(await failure({ chat_id: randomUUID() })).toBe('This chat no longer exists')
    expect(
      (await call(ada, 'lift_legal_hold', { hold_id: randomUUID(), reason: '' })).error,
    ).toMatchObject({
      message: 'Give a reason for lifting the hold',
    })
  })
})

describe('a member on hold', () => {
  /** The claim of a token whose session just began with the password. */
  const passwordTyped = () => ({
    amr: [{ method: 'password', timestamp: Math.floor(Date.now() / 1000) }],
  })
  /** As the member, who just typed the password. */
  async function deleteAccount(person: Person) {
    const claimsText = JSON.stringify({
      role: 'authenticated',
      sub: person.id,
      ...passwordTyped(),
    })
    await team.backend.database.runAs(
      { role: 'authenticated', claimsText },
      { text: 'select public.delete_my_account()' },
    )
  }
  const account = async ({ id }: Person) => {
    const [row] = await team.sql<{ status: string; first_name: string; has_account: boolean }>(
      `select m.status, m.first_name, exists (select from auth.users u where u.id = m.id) as has_account
       from private.members m where m.id = $1`,
      [id],
    )
    return row
  }

  test('who deletes the account is out at once, and erased when the hold ends', async () => {
    const sam = await team.aMember({ firstName: 'Sam' })
    const { data: id } = await hold({ member_id: sam.id })
    await deleteAccount(sam)
    expect(await account(sam)).toEqual({
      status: 'deleted',
      first_name: 'Former',
      has_account: true,
    })
    const [user] = await team.sql(
      'select banned_until > now() as is_banned from auth.users where id = $1',
      [sam.id],
    )
    expect(user).toEqual({ is_banned: true })
    const readmitted = await call(ada, 'set_member_status', { member_id: sam.id, status: 'active' })
    expect(readmitted.error).toMatchObject({ message: 'This member no longer exists' })
    await lift(id)
    expect(await account(sam)).toEqual({
      status: 'deleted',
      first_name: 'Former',
      has_account: false,
    })
  })

  test('who deleted the account is a former member to the team, admins included, and named where the hold is and in the archive', async () => {
    const sam = await team.aMember({ firstName: 'Samira', lastName: 'Held' })
    const { data: chat } = await call<string>(sam, 'create_chat', {
      member_ids: [ada.id],
      name: null,
      first_message: 'Before I go',
    })
    const { data: id } = await hold({ member_id: sam.id })
    await deleteAccount(sam)
    for (const reader of [ada, maya]) {
      const { data } = await reader.client
        .from('users')
        .select('first_name, last_name, email, phone')
        .eq('id', sam.id)
      expect(data).toEqual([
        { first_name: 'Former', last_name: 'member', email: null, phone: null },
      ])
    }
    const read = await Promise.all([
      call(ada, 'chat_list'),
      call(ada, 'list_members', { filter: 'all' }),
      call(ada, 'search_messages', { query: 'Before I go' }),
    ])
    expect(JSON.stringify(read)).toContain('Before I go')
    expect(JSON.stringify(read)).not.toMatch(new RegExp(`Samira|${sam.email}`))
    const namedByHold = async () => {
      const { data } = await call<{ id: string; name: string }[]>(ada, 'legal_holds')
      return data?.find((each) => each.id === id)?.name
    }
    expect(await namedByHold()).toBe('Samira Held')
    const reset = { member_id: sam.id, reason: 'Lost phone' }
    expect((await call(ada, 'reset_second_factor', reset)).error?.code).toBe('PT404')
    const archived = await team.sql<{ name: string }>(
      `select content ->> 'name' as name from archive.records
       where member_id = $1 and kind = 'member.left'`,
      [sam.id],
    )
    expect(archived).toEqual([{ name: 'Samira Held' }])
    expect((await hold({ chat_id: chat ?? '' })).error).toBeNull()
    await lift(id)
    expect(await account(sam)).toMatchObject({ has_account: true })
    expect(await namedByHold()).toBe('Former member')
  })

  test('who has no account any more gets no name back by a new hold', async () => {
    const sam = await team.aMember({ firstName: 'Samira' })
    await deleteAccount(sam)
    const { data: id } = await hold({ member_id: sam.id })
    const { data } = await call<{ id: string; name: string }[]>(ada, 'legal_holds')
    expect(data?.find((each) => each.id === id)?.name).toBe('Former member')
    await lift(id)
  })

  describe('who deletes the account just as the hold is lifted', () => {
    /** The second begins while the first is not committed yet. */
    async function overlapping(first: [Person, string], second: [Person, string]) {
      const [early, late] = [
        await connectionOf(first[0], passwordTyped()),
        await connectionOf(second[0], passwordTyped()),
      ]
      await early.query('begin')
      await early.query(first[1])
      const waiting = late.query(second[1])
      await untilBlocked(team.sql)
      await early.query('commit')
      await waiting
    }
    const DELETE = 'select public.delete_my_account()'
    const lifting = (id: string | null) => `select public.lift_legal_hold('${id}', 'Settled')`

    test('the account is erased, whichever comes first', async () => {
      const [sam, tom] = [await team.aMember(), await team.aMember()]
      const [one, two] = [await hold({ member_id: sam.id }), await hold({ member_id: tom.id })]
      await overlapping([sam, DELETE], [ada, lifting(one.data)])
      await overlapping([ada, lifting(two.data)], [tom, DELETE])
      expect(await account(sam)).toMatchObject({ status: 'deleted', has_account: false })
      expect(await account(tom)).toMatchObject({ status: 'deleted', has_account: false })
    })

    test('it is erased when two admins lift its last two holds at once', async () => {
      const sam = await team.aMember()
      const [one, two] = [await hold({ member_id: sam.id }), await hold({ member_id: sam.id })]
      await deleteAccount(sam)
      await overlapping([ada, lifting(one.data)], [ada, lifting(two.data)])
      expect(await account(sam)).toMatchObject({ has_account: false })
    })
  })

  test('is not erased while another hold lasts, on a chat they are in', async () => {
    const sam = await team.aMember({ firstName: 'Sam' })
    const chat = await aGroup(maya, [theo, sam])
    const [one, two] = [await hold({ member_id: sam.id }), await hold({ chat_id: chat })]
    await deleteAccount(sam)
    await lift(one.data)
    expect(await account(sam)).toMatchObject({ has_account: true })
    await lift(two.data)
    expect(await account(sam)).toMatchObject({ has_account: false })
  })

  test('cannot be deleted by the auth service or the SQL console', async () => {
    const sam = await team.aMember()
    const { data: id } = await hold({ member_id: sam.id })
    const admin = team.service().client.auth.admin
    expect((await admin.deleteUser(sam.id)).error).not.toBeNull()
    expect((await admin.deleteUser(sam.id, true)).error).not.toBeNull()
    await expect(team.sql('delete from auth.users where id = $1', [sam.id])).rejects.toThrow(
      'A legal hold keeps this account',
    )
    expect(await account(sam)).toMatchObject({ status: 'active', has_account: true })
    await lift(id)
    expect((await admin.deleteUser(sam.id)).error).toBeNull()
  })
})

test('a chat that is being deleted is not held', async () => {
  const chatId = await aGroup(maya, [theo])
  const other = await aConnection()
  await other.query('begin')
  await other.query('delete from public.chats where id = $1', [chatId])
  const waiting = hold({ chat_id: chatId })
  await untilBlocked(team.sql)
  await other.query('commit')
  expect((await waiting).error).toMatchObject({ code: 'PT404' })
})

test('the id of another hold, or of one that was lifted, places nothing and says so', async () => {
  const { data: id } = await hold({ member_id: theo.id })
  const again = await hold({ member_id: maya.id, hold_id: id ?? '' })
  expect(again.error).toMatchObject({ code: 'PT409' })
  await lift(id)
  expect((await hold({ member_id: theo.id, hold_id: id ?? '' })).error).toMatchObject({
    code: 'PT409',
  })
})

test('the audit log names who placed and lifted a hold, and who changed how long records are kept', async () => {
  const { data: id } = await hold({ member_id: theo.id })
  await hold({ member_id: theo.id, hold_id: id ?? '' })
  await lift(id)
  await call(ada, 'set_archive_retention', { category: 'reaction', years: 7 })
  await call(ada, 'set_archive_retention', { category: 'reaction', years: 7 })
  const { data } = await call<object[]>(ada, 'audit_entries', { of_kind: 'archive' })
  expect(data?.slice(0, 3)).toMatchObject([
    {
      action: 'retention',
      before: { years: 6 },
      after: { years: 7 },
      details: { category: 'reaction' },
    },
    { action: 'hold_lifted', actor_id: ada.id, people: [theo.id], details: { reason: 'Settled' } },
    {
      action: 'hold_placed',
      actor_id: ada.id,
      people: [theo.id],
      details: { reason: 'Case 4711' },
    },
  ])
})
