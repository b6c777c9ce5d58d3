import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pushScene, type PushScene } from './push-scene.ts'
import { aTeam, type Person, type Team } from './team.ts'

let team: Team
let push: PushScene
let maya: Person
let theo: Person
let dana: Person
let chat: string

beforeAll(async () => {
  team = await aTeam()
  push = pushScene(team)
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
  theo = await team.aMember({ firstName: 'Theo', lastName: 'Brandt' })
  dana = await team.aMember({ firstName: 'Dana', lastName: 'Reyes', isAdmin: true })
})
afterAll(() => team.close())
beforeEach(async () => {
  await push.clear()
  await team.sql('delete from public.notification_settings')
  chat = await push.aChat([maya, theo, dana])
})

const skipped = (reason: string) => ({ state: 'skipped', reason })

describe('who gets a push for a message', () => {
  test('every device of every other participant, and nobody else', async () => {
    const phone = await push.aDevice(theo)
    const tablet = await push.aDevice(theo, 'apns')
    await push.aDevice(maya)
    await push.aDevice(await team.aMember())
    await push.say(chat, maya, 'The Keller deal is signed')
    const claimed = await push.claim()
    expect(claimed.map(({ token }) => token).sort()).toEqual([phone.token, tablet.token].sort())
    expect(claimed[0]).toMatchObject({
      kind: 'message',
      title: 'Deal desk',
      body: 'Maya Ortiz: The Keller deal is signed',
      chat_id: chat,
      link: `/chat/${chat}`,
      badge: 1,
      collapse_key: chat,
      attempt: 1,
    })
  })

  test('the push of an individual chat has the sender as its title', async () => {
    await push.aDevice(theo)
    const direct = await push.aChat([maya, theo], '', 'individual')
    await push.say(direct, maya, 'Call me')
    expect(await push.claim()).toMatchObject([{ title: 'Maya Ortiz', body: 'Call me' }])
  })

  test('without devices, messages write nothing to the outbox', async () => {
    await push.say(chat, maya, 'hello')
    expect(await team.sql('select from private.push_outbox')).toEqual([])
  })

  test.each<[string, () => Promise<unknown>]>([
    [
      'muted',
      () =>
        team.sql(
          "update private.chat_participants set muted_until = 'infinity' where chat_id = $1 and user_id = $2",
          [chat, theo.id],
        ),
    ],
    [
      'hidden',
      () =>
        team.sql('update private.members set hidden_chats = array[$1::uuid] where id = $2', [
          chat,
          theo.id,
        ]),
    ],
    [
      'read',
      () =>
        team.sql(
          'update private.chat_participants set last_read_at = now() where chat_id = $1 and user_id = $2',
          [chat, theo.id],
        ),
    ],
    [
      'left the chat',
      () =>
        team.sql(
          'update private.chat_participants set is_active = false where chat_id = $1 and user_id = $2',
          [chat, theo.id],
        ),
    ],
    [
      'deleted',
      () =>
        team.sql('update public.chat_messages set is_deleted = true where chat_id = $1', [chat]),
    ],
    [
      'switched off',
      () =>
        team.sql(
          'insert into public.notification_settings (user_id, messages) values ($1, false)',
          [theo.id],
        ),
    ],
    [
      'too old',
      () => team.sql("update private.push_outbox set created_at = now() - interval '25 hours'"),
    ],
  ])('nobody who meanwhile has to be skipped: %s', async (reason, happens) => {
    await push.aDevice(theo)
    await push.say(chat, maya, 'hello')
    await team.sql('select private.spread_push_outbox()')
    await happens()
    expect(await push.claim()).toEqual([])
    expect(await push.fates()).toEqual([skipped(reason)])
    await team.sql("update private.members set hidden_chats = '{}' where id = $1", [theo.id])
  })

  test('nobody for the mandatory chat whose rally_enabled is false', async () => {
    const off = await team.aMember({ rallyEnabled: false })
    await push.aDevice(off)
    await push.say(team.mandatoryChatId, maya, 'hello all')
    expect(await push.claim()).toEqual([])
    expect(await push.fates()).toEqual([skipped('chat disabled')])
  })

  test('an expired mute has no effect', async () => {
    await push.aDevice(theo)
    await team.sql(
      "update private.chat_participants set muted_until = now() - interval '1 second' where user_id = $1",
      [theo.id],
    )
    await push.say(chat, maya, 'hello')
    expect(await push.claim()).toHaveLength(1)
  })

  test('not the former owner of a phone that somebody else signed in on', async () => {
    const { token } = await push.aDevice(theo)
    await push.say(chat, maya, 'for Theo only')
    await team.sql('select private.spread_push_outbox()')
    const outsider = await team.aMember()
    await outsider.client.rpc('register_push_device', { token, platform: 'android' })
    expect(await push.claim()).toEqual([])
    expect(await push.fates()).toEqual([skipped('device has another owner')])
  })
})

describe('how much', () => {
  test('several messages of one chat become one push, of the newest', async () => {
    const newcomer = await team.aMember({ rallyEnabled: false })
    await push.aDevice(newcomer)
    const pair = await push.aChat([maya, newcomer])
    for (const text of ['one', 'two', 'three']) await push.say(pair, maya, text)
    expect(await push.claim()).toMatchObject([{ body: 'Maya Ortiz: three', badge: 3 }])
    expect((await push.fates()).map(({ state }) => state)).toEqual([
      'collapsed',
      'collapsed',
      'sending',
    ])
  })

  describe('in a large chat', () => {
    const within = (limit: number) =>
      team.sql(
        `create or replace function private.most_notified_participants() returns int
         language sql immutable set search_path = '' as $$ select ${limit} $$`,
      )
    beforeAll(() => within(2))
    afterAll(() => within(50))

    test('a device is left alone for ten minutes after a message, or until it was read', async () => {
      const reader = await team.aMember({ rallyEnabled: false })
      await push.aDevice(reader)
      const chat = await push.aChat([maya, dana, reader])
      const texts = async () => (await push.claim()).map(({ body }) => body)
      await push.say(chat, maya, 'one')
      await push.say(chat, dana, 'two')
      expect(await texts()).toEqual(['Maya Ortiz: one'])
      await push.say(chat, maya, 'three')
      expect(await texts()).toEqual([])
      await reader.client.rpc('mark_chat_read', { chat_id: chat })
      await push.say(chat, maya, 'four')
      expect(await texts()).toEqual(['Maya Ortiz: four'])
      await team.sql(
        "update private.push_outbox set created_at = created_at - interval '10 minutes'",
      )
      await push.say(chat, maya, 'five')
      expect(await texts()).toEqual(['Maya Ortiz: five'])
    })

    test('a mention arrives at once', async () => {
      const reader = await team.aMember({ rallyEnabled: false })
      await push.aDevice(reader)
      const chat = await push.aChat([maya, dana, reader])
      await push.say(chat, maya, 'one')
      await push.claim()
      await push.say(chat, maya, 'and you', [reader])
      expect(await push.claim()).toMatchObject([{ body: 'Maya Ortiz: and you', is_pressing: true }])
    })
  })

  test('an urgent notice and a mention overtake messages that wait, a notice is spread before them', async () => {
    const reader = await team.aMember({ rallyEnabled: false })
    await push.aDevice(reader)
    for (const name of ['First', 'Second'])
      await push.say(await push.aChat([maya, reader], name), maya, name)
    await push.say(await push.aChat([maya, reader], 'Third'), maya, 'you', [reader])
    await team.sql('select private.spread_push_outbox()')
    await team.sql(
      "insert into public.team_notices (title, is_urgent, audience, audience_members) values ('Now', true, 'members', $1)",
      [[reader.id]],
    )
    const kinds = (await push.claim(['fcm'], 2)).map(({ kind, body }) => `${kind} ${body}`)
    expect(kinds.toSorted()).toEqual(['message Maya Ortiz: you', 'notice '])
    expect(await push.claim(['fcm'])).toHaveLength(2)
  })

  test('the icon badge leaves muted chats out, like the Chat tab', async () => {
    const newcomer = await team.aMember({ rallyEnabled: false })
    await push.aDevice(newcomer)
    const [quiet, loud] = [
      await push.aChat([maya, newcomer]),
      await push.aChat([dana, newcomer], 'Loud'),
    ]
    await push.say(quiet, maya, 'one')
    await team.sql(
      "update private.chat_participants set muted_until = 'infinity' where chat_id = $1",
      [quiet],
    )
    await push.say(loud, dana, 'two')
    expect(await push.claim()).toMatchObject([{ body: 'Dana Reyes: two', badge: 1 }])
  })

  test('the icon badge leaves archived chats out, like the Chat tab', async () => {
    const newcomer = await team.aMember({ rallyEnabled: false })
    await push.say(await push.aChat([maya, newcomer]), maya, 'one')
    const badge = () => team.sql('select private.unread_badge($1) as unread', [newcomer.id])
    expect(await badge()).toEqual([{ unread: 1 }])
    await team.sql(
      `update private.members m set archived_chats = array(
         select p.chat_id from private.chat_participants p
         join public.chats c on c.id = p.chat_id and c.type <> 'mandatory' where p.user_id = m.id
       ) where id = $1`,
      [newcomer.id],
    )
    expect(await badge()).toEqual([{ unread: 0 }])
  })

  test('a mention is not replaced by later messages', async () => {
    await push.aDevice(theo)
    await push.say(chat, maya, 'Theo, please sign', [theo])
    await push.say(chat, dana, 'nice weather')
    expect((await push.claim()).map(({ body }) => body)).toEqual([
      'Maya Ortiz: Theo, please sign',
      'Dana Reyes: nice weather',
    ])
  })

  test('an open thread has two seconds to mark itself read', async () => {
    await push.aDevice(theo)
    await push.say(chat, maya, 'hello')
    const atOnce = await team.sql("select * from public.claim_push_deliveries('{fcm}')")
    expect(atOnce).toEqual([])
    expect(await push.claim()).toHaveLength(1)
  })
})
