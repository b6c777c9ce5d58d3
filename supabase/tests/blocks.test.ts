// Blocking a person: silence and no chat of the two, while groups, the team chat and leaders stay reachable.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel } from '@supabase/supabase-js'
import { aGroup, recordedBy, send } from './archive-records.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let ada: Person
let maya: Person
let theo: Person
let pairId: string

beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
})
afterAll(() => team?.close())
beforeEach(async () => {
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
  theo = await team.aMember({ firstName: 'Theo', lastName: 'Brandt' })
  pairId = (await open(theo, [maya])).data ?? ''
})

const open = (by: Person, others: Person[], first_message = 'Hello there') =>
  call<string>(by, 'create_chat', {
    member_ids: others.map(({ id }) => id),
    name: others.length > 1 ? 'Closers' : null,
    first_message,
  })
const block = (by: Person, { id }: Person) => call(by, 'block_member', { member_id: id })
const unblock = (by: Person, { id }: Person) => call(by, 'unblock_member', { member_id: id })
const say = (by: Person, chat_id: string, some: object = {}) =>
  by.client.from('chat_messages').insert({ chat_id, sender_id: by.id, message: 'Psst', ...some })

type Listed = { chat_id: string; unread_count: number }
const listOf = async (person: Person, with_hidden = true) =>
  (await call<Listed[]>(person, 'chat_list', { with_hidden })).data ?? []
const unreadIn = async (person: Person, id: string) =>
  (await listOf(person)).find(({ chat_id }) => chat_id === id)?.unread_count

async function badgeOf(person: Person) {
  const [row] = await team.sql<{ badge: number }>('select private.unread_badge($1) as badge', [
    person.id,
  ])
  return row?.badge
}

/** What would be pushed to this person for the last message of the chat, or why not. */
async function pushFor(person: Person, chatId: string) {
  await team.sql(
    `insert into public.push_devices (user_id, channel, platform, token) values ($1, 'fcm', 'android', gen_random_uuid()::text)`,
    [person.id],
  )
  const [verdict] = await team.sql<{ skip: string | null }>(
    `with entry as (
       insert into private.push_outbox (kind, message_id)
       select 'message', m.id from public.chat_messages m where m.chat_id = $1
       order by m.sent_at desc limit 1 returning *
     )
     select (private.push_verdict(
       jsonb_populate_record(null::private.push_deliveries, jsonb_build_object(
         'user_id', $2::uuid, 'device_id', d.id, 'is_pressing', true
       )), entry
     )).skip
     from entry, public.push_devices d where d.user_id = $2::uuid limit 1`,
    [chatId, person.id],
  )
  return verdict?.skip
}

describe('the chat of the two', () => {
  test('is gone from the blocker’s list and silent; the blocked one still has it', async () => {
    expect(await unreadIn(maya, pairId)).toBe(1)
    await block(maya, theo)
    expect(await unreadIn(maya, pairId)).toBeUndefined()
    expect(await badgeOf(maya)).toBe(0)
    expect(await pushFor(maya, pairId)).toBe('blocked')
    expect(await unreadIn(theo, pairId)).toBe(0)
  })

  test('takes messages of neither, in words that do not tell of the block', async () => {
    await block(maya, theo)
    expect((await say(theo, pairId)).error?.message).toContain('row-level security')
    expect((await say(maya, pairId)).error?.message).toContain('row-level security')
    const typing = await call(theo, 'publish_typing', { chat_id: pairId })
    expect(typing.error).toBeNull()
    const shown = await team.sql(
      `select from realtime.messages where topic = 'typing:' || $1 and payload ->> 'user_id' = $2`,
      [pairId, theo.id],
    )
    expect(shown).toEqual([])
  })

  test('cannot be begun again by either, in any way', async () => {
    await block(maya, theo)
    expect((await open(theo, [maya])).error?.message).toBe('You cannot write to this person')
    expect((await open(maya, [theo])).error?.message).toBe(
      'You blocked this person. Unblock them first',
    )
    const stranger = await team.aMember()
    await block(maya, stranger)
    for (const type of ['individual', 'group']) {
      const id = randomUUID()
      await stranger.client
        .from('chats')
        .insert({ id, type, created_by: stranger.id, ...(type === 'group' && { name: 'Us' }) })
        .throwOnError()
      await stranger.client
        .from('chat_participants')
        .insert({ chat_id: id, user_id: stranger.id })
        .throwOnError()
      const added = await stranger.client
        .from('chat_participants')
        .insert({ chat_id: id, user_id: maya.id })
      expect(added.error?.code).toBe('42501')
    }
  })

  test('is back as it was when the block ends', async () => {
    await block(maya, theo)
    await unblock(maya, theo)
    expect(await unreadIn(maya, pairId)).toBe(1)
    expect((await say(theo, pairId)).error).toBeNull()
  })

  /** Asks a right of the live topics in this person's name. */
  async function may({ id }: Person, right: string) {
    const [row] = await team.sql<{ may: boolean }>(
      `select set_config('request.jwt.claims', json_build_object('sub', $1::text)::text, true) is not null and ${right} as may`,
      [id],
    )
    return row?.may
  }

  test('shows neither whether the other is online', async () => {
    const sees = (person: Person, other: Person) =>
      may(person, `private.can_receive('online:${other.id}')`)
    expect(await sees(theo, maya)).toBe(true)
    await block(maya, theo)
    expect(await sees(theo, maya)).toBe(false)
    expect(await sees(maya, theo)).toBe(false)
  })
})

describe('the chat of the two, open on a device', () => {
  const present = (by: Person, chatId: string) => {
    const channel = by.client.channel(`typing:${chatId}`, {
      config: { private: true, presence: { key: by.id } },
    })
    return new Promise<RealtimeChannel>((resolve) => {
      // Listening asks for presence.
      channel.on('presence', { event: 'sync' }, () => {})
      channel.subscribe((status) => {
        if (status !== REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) return
        void channel.track({ about: 'Look at this' }).then(() => resolve(channel))
      })
    })
  }
  const seen = (channel: RealtimeChannel) => Object.keys(channel.presenceState()).sort()

  test('shows neither to the other once one blocks, on open connections too, and again after it', async () => {
    const [mayas, theos] = await Promise.all([present(maya, pairId), present(theo, pairId)])
    const both = [maya.id, theo.id].sort()
    await expect.poll(() => [seen(mayas), seen(theos)]).toEqual([both, both])
    await block(maya, theo)
    await expect.poll(() => [seen(mayas), seen(theos)]).toEqual([[], []])
    await theos.track({ about: 'Look at this anyway' })
    await Promise.all([maya, theo].map(({ client }) => client.removeAllChannels()))

    await unblock(maya, theo)
    const again = await Promise.all([present(maya, pairId), present(theo, pairId)])
    await expect.poll(() => again.map(seen)).toEqual([both, both])
    await Promise.all([maya, theo].map(({ client }) => client.removeAllChannels()))
  })

  test('is read unnoticed by the blocker, and not by the blocked one', async () => {
    const lastRead = async (person: Person) => {
      const [row] = await team.sql<{ last_read_at: Date | null }>(
        'select last_read_at from private.chat_participants where chat_id = $1 and user_id = $2',
        [pairId, person.id],
      )
      return row?.last_read_at?.getTime() ?? 0
    }
    const read = (by: Person) => call(by, 'mark_chat_read', { chat_id: pairId })
    await say(maya, pairId)
    await block(maya, theo)
    const before = await lastRead(maya)
    await read(maya)
    await maya.client
      .from('chat_participants')
      .update({ last_read_at: new Date().toISOString() })
      .match({ chat_id: pairId, user_id: maya.id })
    expect(await lastRead(maya)).toBe(before)
    await read(theo)
    expect(await unreadIn(theo, pairId)).toBe(0)

    await unblock(maya, theo)
    await read(maya)
    expect(await lastRead(maya)).toBeGreaterThan(before)
  })
})

describe('in a group', () => {
  test('messages of somebody blocked can be read, and neither count nor push', async () => {
    const group = await aGroup(ada, [maya, theo])
    await call(maya, 'mark_chat_read', { chat_id: group })
    await block(maya, theo)
    const id = await send(theo, 'Hi all', group)
    await say(theo, group, { mentions: [maya.id] }).throwOnError()
    const { data } = await maya.client.from('chat_messages').select('message').eq('id', id)
    expect(data).toEqual([{ message: 'Hi all' }])
    expect(await unreadIn(maya, group)).toBe(0)
    expect(await pushFor(maya, group)).toBe('blocked')
    const { data: news } = await call<{ kind: string }[]>(maya, 'my_notifications')
    expect(news?.filter(({ kind }) => kind === 'mention')).toEqual([])
    await send(ada, 'From Ada', group)
    expect(await unreadIn(maya, group)).toBe(1)
  })

  test('the blocked one is read, counted and pushed for everybody else', async () => {
    const group = await aGroup(ada, [maya, theo])
    await call(ada, 'mark_chat_read', { chat_id: group })
    await block(maya, theo)
    await send(theo, 'Hi all', group)
    expect(await unreadIn(ada, group)).toBe(1)
    expect(await pushFor(ada, group)).toBeNull()
  })

  test('both write in the mandatory chat', async () => {
    await block(maya, theo)
    expect((await say(theo, team.mandatoryChatId)).error).toBeNull()
    expect((await say(maya, team.mandatoryChatId)).error).toBeNull()
  })
})

test('search finds neither what somebody blocked wrote nor, for a new chat, the two for each other', async () => {
  const group = await aGroup(ada, [maya, theo])
  const word = `zebra${Date.now()}`
  await send(theo, word, group)
  await block(maya, theo)
  const found = (person: Person) => call<unknown[]>(person, 'search_messages', { query: word })
  expect((await found(maya)).data).toEqual([])
  expect((await found(ada)).data).toHaveLength(1)
  const people = (person: Person, { email }: Person) =>
    call<unknown[]>(person, 'search_members', { query: email })
  expect((await people(maya, theo)).data).toEqual([])
  expect((await people(theo, maya)).data).toEqual([])
  expect((await people(ada, theo)).data).toHaveLength(1)
})

describe('leaders', () => {
  test('cannot be blocked, and block nobody', async () => {
    expect((await block(maya, ada)).error).toMatchObject({
      code: '42501',
      message: 'A leader of the team cannot be blocked',
    })
    expect((await block(ada, maya)).error?.message).toBe(
      'Leaders stay reachable, so they block nobody',
    )
  })

  test.each(["role = 'admin'", 'can_supervise = true'])(
    'who becomes one (%s) is reachable, and blocked again afterwards',
    async (change) => {
      await block(maya, theo)
      await team.sql(`update private.members set ${change} where id = $1`, [theo.id])
      expect((await say(theo, pairId)).error).toBeNull()
      expect((await call<{ rests: boolean }[]>(maya, 'blocked_people')).data).toMatchObject([
        { rests: true },
      ])
      await team.sql(
        `update private.members set role = 'user', can_supervise = false where id = $1`,
        [theo.id],
      )
      expect((await say(theo, pairId)).error).not.toBeNull()
    },
  )
})

test('blocking twice is one block; nobody blocks themselves or who is not there', async () => {
  await Promise.all([block(maya, theo), block(maya, theo), block(maya, theo)])
  expect((await call<{ id: string }[]>(maya, 'blocked_people')).data).toMatchObject([
    { id: theo.id, rests: false },
  ])
  expect((await call<unknown[]>(theo, 'blocked_people')).data).toEqual([])
  expect((await block(maya, maya)).error?.message).toBe('You cannot block yourself')
  expect((await call(maya, 'block_member', { member_id: randomUUID() })).error?.code).toBe('PT404')
})

test.each(['suspended', 'removed'])('who is %s blocks and unblocks nobody', async (status) => {
  await block(maya, theo)
  await team.sql('update private.members set status = $2 where id = $1', [maya.id, status])
  await unblock(maya, theo)
  const left = await team.sql('select from private.blocks where blocker_id = $1', [maya.id])
  expect(left).toHaveLength(1)
  expect((await block(maya, ada)).error?.code).toBe('PT404')
})

test('a message sent while the block is made leaves no trace of unread or push', async () => {
  await call(maya, 'mark_chat_read', { chat_id: pairId })
  const [blocked, ...sent] = await Promise.all([
    block(maya, theo),
    ...Array.from({ length: 20 }, () => say(theo, pairId)),
  ])
  expect(blocked.error).toBeNull()
  expect(sent.every(({ status }) => status < 500)).toBe(true)
  expect(await badgeOf(maya)).toBe(0)
  expect(await pushFor(maya, pairId)).toBe('blocked')
  expect((await say(theo, pairId)).error).not.toBeNull()
})

test('a chat begun while the block is made is either there and hidden, or refused', async () => {
  const stranger = await team.aMember()
  const [, opened] = await Promise.all([block(maya, stranger), open(stranger, [maya])])
  if (opened.error) expect(opened.error.message).toBe('You cannot write to this person')
  expect((await listOf(maya)).some(({ chat_id }) => chat_id === opened.data)).toBe(false)
})

test('a block and its end are archived, for nobody on the team to read', async () => {
  const records = await recordedBy(team, async () => {
    await block(maya, theo)
    await unblock(maya, theo)
  })
  expect(records).toMatchObject([
    {
      kind: 'block.made',
      actor_id: maya.id,
      member_id: theo.id,
      audience: 'nobody',
      content: { blocker_id: maya.id, member: { name: 'Theo Brandt' } },
    },
    { kind: 'block.lifted', actor_id: maya.id, member_id: theo.id },
  ])
})

test('a deleted account is blocked by nobody any more', async () => {
  await block(maya, theo)
  await team.sql('delete from auth.users where id = $1', [theo.id])
  expect((await call<unknown[]>(maya, 'blocked_people')).data).toEqual([])
})
