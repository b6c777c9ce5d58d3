// Whatever path an event takes, the archive has it, in full, with the names of the time.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGroup, recordedBy, recordsOf, send, type ArchiveRecord } from './archive-records.ts'
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

const change = (person: Person, id: string, values: object) =>
  person.client.from('chat_messages').update(values).eq('id', id).throwOnError()

const kinds = (records: ArchiveRecord[]) => records.map(({ kind }) => kind)
const byMaya = () => ({
  actor_id: maya.id,
  actor_name: 'Maya Ortiz',
  actor_email: maya.email,
  actor_role: 'authenticated',
})

describe('a message', () => {
  test('is archived with its text, its sender by name and e-mail, and its chat', async () => {
    const id = await send(maya, 'Guaranteed 12 % returns! “¿Seguro?” 🚀\n\tYes.', chatId)
    expect(await recordsOf(team, id)).toEqual([
      expect.objectContaining({
        ...byMaya(),
        kind: 'message.sent',
        chat_id: chatId,
        subject_id: id,
        member_id: maya.id,
        audience: 'chat',
        content: {
          text: 'Guaranteed 12 % returns! “¿Seguro?” 🚀\n\tYes.',
          sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/) as string,
        },
      }),
    ])
  })

  test('that is edited keeps every version', async () => {
    const id = await send(maya, 'Guaranteed 12 % returns!', chatId)
    await change(maya, id, { message: 'Hello everybody' })
    await change(maya, id, { message: 'Good morning everybody' })
    const [, ...edits] = await recordsOf(team, id)
    expect(edits).toMatchObject([
      {
        ...byMaya(),
        kind: 'message.edited',
        content: { before: 'Guaranteed 12 % returns!', text: 'Hello everybody' },
      },
      { content: { before: 'Hello everybody', text: 'Good morning everybody' } },
    ])
  })

  test('that its sender deletes and takes back keeps both', async () => {
    const id = await send(maya, 'Oops', chatId)
    await change(maya, id, { is_deleted: true })
    await call(maya, 'restore_message', { message_id: id })
    const records = await recordsOf(team, id)
    expect(kinds(records)).toEqual(['message.sent', 'message.deleted', 'message.restored'])
    expect(records[1]).toMatchObject({ ...byMaya(), content: { text: 'Oops' } })
  })

  test('that an admin removes keeps the reason, the author and who removed it', async () => {
    const id = await send(maya, 'Buy this coin', chatId)
    await change(ada, id, { is_deleted: true, deleted_reason: 'Outside business' })
    const [, removed] = await recordsOf(team, id)
    expect(removed).toMatchObject({
      kind: 'message.removed',
      actor_id: ada.id,
      actor_name: 'Ada Admin',
      member_id: maya.id,
      content: {
        text: 'Buy this coin',
        reason: 'Outside business',
        member: { name: 'Maya Ortiz', email: maya.email },
      },
    })
  })

  test('quotes, mentions and whom it is by are kept', async () => {
    const quoted = await send(maya, 'Who calls?', chatId)
    const id = randomUUID()
    await theo.client
      .from('chat_messages')
      .insert({
        id,
        chat_id: chatId,
        sender_id: theo.id,
        message: '@Maya you',
        reply_to: quoted,
        mentions: [maya.id],
      })
      .throwOnError()
    const [record] = await recordsOf(team, id)
    expect(record?.content).toMatchObject({ reply_to: quoted, mentions: [maya.id] })
  })

  test('that was rolled back is not archived', async () => {
    const added = await recordedBy(team, async () => {
      await team.sql('begin')
      await team.sql(
        'insert into public.chat_messages (chat_id, sender_id, message) values ($1, $2, $3)',
        [chatId, maya.id, 'Never'],
      )
      await team.sql('rollback')
    })
    expect(added).toEqual([])
  })

  test('of a create_chat comes after the chat and those in it', async () => {
    const added = await recordedBy(team, () => aGroup(maya, [theo, ada]))
    expect(kinds(added)).toEqual([
      'chat.created',
      'chat.joined',
      'chat.joined',
      'chat.joined',
      'message.sent',
    ])
    expect(added[0]).toMatchObject({ ...byMaya(), content: { name: 'Closers', type: 'group' } })
    expect(added.find(({ member_id }) => member_id === theo.id)).toMatchObject({
      ...byMaya(),
      content: { member: { name: 'Theo Brandt', email: theo.email } },
    })
  })

  test('a reaction that comes and goes is archived, and costs the message no record', async () => {
    const id = await send(maya, 'Sold one!', chatId)
    const reaction = { message_id: id, user_id: theo.id, emoji: '🎉' }
    await theo.client.from('chat_reactions').insert(reaction).throwOnError()
    await theo.client.from('chat_reactions').delete().match(reaction).throwOnError()
    const [, ...reactions] = await recordsOf(team, id)
    expect(reactions).toMatchObject([
      {
        kind: 'reaction.added',
        actor_name: 'Theo Brandt',
        chat_id: chatId,
        content: { emoji: '🎉' },
      },
      { kind: 'reaction.removed', actor_name: 'Theo Brandt', content: { emoji: '🎉' } },
    ])
  })
})

describe('a server with the secret key', () => {
  test('that sends in a member’s name is recorded as itself, the member as the author', async () => {
    const id = randomUUID()
    await team
      .service()
      .client.from('chat_messages')
      .insert({ id, chat_id: chatId, sender_id: maya.id, message: 'Imported' })
      .throwOnError()
    expect(await recordsOf(team, id)).toMatchObject([
      {
        actor_id: null,
        actor_name: null,
        actor_role: 'service_role',
        member_id: maya.id,
        content: { text: 'Imported', member: { name: 'Maya Ortiz', email: maya.email } },
      },
    ])
  })

  test('that moves, backdates and erases a message leaves each in the archive', async () => {
    const id = await send(maya, 'Promise', chatId)
    const service = team.service().client
    await service
      .from('chat_messages')
      .update({ chat_id: team.mandatoryChatId, sent_at: '2020-01-01T00:00:00Z' })
      .eq('id', id)
      .throwOnError()
    await service.from('chat_messages').delete().eq('id', id).throwOnError()
    const [, changed, erased] = await recordsOf(team, id)
    expect(changed).toMatchObject({
      kind: 'message.changed',
      actor_role: 'service_role',
      chat_id: chatId,
      content: { before: { chat_id: chatId }, after: { chat_id: team.mandatoryChatId } },
    })
    expect(erased).toMatchObject({ kind: 'message.erased', content: { text: 'Promise' } })
  })

  test('that deletes a chat leaves its messages, its members and the chat in the archive', async () => {
    const chat = await aGroup(maya, [theo, ada])
    await send(theo, 'Last words', chat)
    const added = await recordedBy(team, () =>
      team.service().client.from('chats').delete().eq('id', chat).throwOnError(),
    )
    expect(kinds(added).toSorted()).toEqual([
      'chat.erased',
      'chat.left',
      'chat.left',
      'chat.left',
      'message.erased',
      'message.erased',
    ])
    expect(added.map(({ content }) => content['text'])).toContain('Last words')
  })
})

test('the SQL console is named as what it is', async () => {
  const id = await send(maya, 'As written', chatId)
  await team.sql("update public.chat_messages set message = 'As forged' where id = $1", [id])
  const [, forged] = await recordsOf(team, id)
  expect(forged).toMatchObject({
    kind: 'message.edited',
    actor_id: null,
    actor_role: 'postgres',
    content: { before: 'As written', text: 'As forged' },
  })
})

test('a table that is emptied at once leaves a record', async () => {
  const added = await recordedBy(team, async () => {
    await team.sql('begin')
    await team.sql('truncate public.chat_reactions')
    await team.sql('commit')
  })
  expect(added).toMatchObject([
    { kind: 'archive.truncated', content: { table: 'public.chat_reactions' } },
  ])
})
