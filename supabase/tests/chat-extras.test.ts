import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aTeam, type Person, type Team } from './team.ts'

let team: Team
let maya: Person
let theo: Person
let admin: Person
let outsider: Person
let muted: Person
let chatId = ''

beforeAll(async () => {
  team = await aTeam()
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
  theo = await team.aMember({ firstName: 'Theo', lastName: 'Brandt' })
  admin = await team.aMember({ firstName: 'Dana', isAdmin: true })
  muted = await team.aMember({ canSendMessages: false })
  outsider = await team.aMember({ firstName: 'Otto' })
})
afterAll(() => team?.close())

beforeEach(async () => {
  chatId = await aGroup([maya, theo, admin, muted])
})

async function aGroup(people: Person[]): Promise<string> {
  const [chat] = await team.sql<{ id: string }>(
    `insert into public.chats (name, type, created_by) values ('Squad', 'group', $1) returning id`,
    [people[0]?.id],
  )
  await team.sql(
    'insert into private.chat_participants (chat_id, user_id) select $1, unnest($2::uuid[])',
    [chat?.id, people.map(({ id }) => id)],
  )
  return chat?.id ?? ''
}

async function as<Row = Record<string, unknown>>(person: Person, text: string, values: unknown[]) {
  const claimsText = JSON.stringify({ role: 'authenticated', sub: person.id })
  const caller = { role: 'authenticated' as const, claimsText }
  return (await team.backend.database.runAs(caller, { text, values })).rows as Row[]
}

async function send(person: Person, extras: Record<string, unknown> = {}): Promise<string> {
  const row = { id: randomUUID(), chat_id: chatId, sender_id: person.id, message: 'Hi', ...extras }
  const columns = Object.keys(row)
  await as(
    person,
    `insert into public.chat_messages (${columns.join()}) values (${columns.map((_, n) => `$${n + 1}`).join()})`,
    Object.values(row),
  )
  return row.id
}

async function react(person: Person, messageId: string, emoji = '👍') {
  await as(
    person,
    'insert into public.chat_reactions (message_id, user_id, emoji) values ($1, $2, $3)',
    [messageId, person.id, emoji],
  )
}

async function stored(messageId: string) {
  const [row] = await team.sql('select * from public.chat_messages where id = $1', [messageId])
  return row
}

const REFUSED = { code: '42501' }
const BROKEN_RULE = { code: '23514' }

test('a reply quotes a message of the same chat', async () => {
  const quoted = await send(maya)
  const reply = await send(theo, { reply_to: quoted })
  expect(await stored(reply)).toMatchObject({ reply_to: quoted })
})

test('a message of another chat cannot be quoted', async () => {
  const quoted = await send(maya)
  chatId = await aGroup([maya, outsider])
  await expect(send(outsider, { reply_to: quoted })).rejects.toMatchObject(BROKEN_RULE)
})

test('a reply whose quoted message was deleted meanwhile is sent without the quote', async () => {
  const quoted = await send(maya)
  await as(maya, 'update public.chat_messages set is_deleted = true where id = $1', [quoted])
  const reply = await send(theo, { reply_to: quoted, message: 'Still here' })
  expect(await stored(reply)).toMatchObject({ reply_to: null, message: 'Still here' })
})

test('a message that does not exist cannot be quoted', async () => {
  await expect(send(maya, { reply_to: randomUUID() })).rejects.toMatchObject(BROKEN_RULE)
})

test('only participants can be mentioned', async () => {
  const message = await send(maya, { mentions: [theo.id, outsider.id] })
  expect(await stored(message)).toMatchObject({ mentions: [theo.id] })
})

test('reactions of several members add up, and a removed one no longer counts', async () => {
  const message = await send(maya)
  await Promise.all([react(maya, message), react(theo, message), react(theo, message, '🎉')])
  expect(await stored(message)).toMatchObject({ reaction_counts: { '👍': 2, '🎉': 1 } })
  await as(theo, "delete from public.chat_reactions where message_id = $1 and emoji = '🎉'", [
    message,
  ])
  expect(await stored(message)).toMatchObject({ reaction_counts: { '👍': 2 } })
})

test('every emoji that the app offers is a reaction, and two of them are not', async () => {
  const page = new URL('../../web/src/features/chat/thread/emoji/emojis-en.txt', import.meta.url)
  const lines = readFileSync(page, 'utf8').split('\n')
  const offered = lines.filter((line) => line.includes('\t')).map((line) => line.split('\t')[0])
  const refused = await team.sql(
    'select each from unnest($1::text[]) each where not private.is_emoji(each)',
    [offered],
  )
  expect(offered.length).toBeGreaterThan(1500)
  expect(refused).toEqual([])
  const message = await send(maya)
  await expect(react(maya, message, '👍👎')).rejects.toMatchObject(BROKEN_RULE)
})

test('a member reacts as themselves, once per emoji, and only in their chats', async () => {
  const message = await send(maya)
  const forged = as(
    maya,
    "insert into public.chat_reactions (message_id, user_id, emoji) values ($1, $2, '👍')",
    [message, theo.id],
  )
  await expect(forged).rejects.toMatchObject(REFUSED)
  await expect(react(outsider, message)).rejects.toThrow('There is no such message')
  await expect(react(muted, message)).rejects.toMatchObject(REFUSED)
  await react(theo, message)
  await expect(react(theo, message)).rejects.toMatchObject({ code: '23505' })
})

const EMOJI =
  '👍 👍🏽 ❤️ ❤ ☺️ ✅ ✨ ⭐ ⏰ ⌚ ™️ ©️ ‼️ ㊗️ 〰️ ▶️ ⬆️ ↩️ 🅰️ 🆗 🈁 🀄 😀 🙏🏿 🚀 🟢 🟰 🤌 🧑‍🚀 🥹 🫶🏻 🫡'
const LONG_EMOJI = '👨‍👩‍👧‍👦 👩🏽‍❤️‍💋‍👨🏻 🏳️‍🌈 🏴‍☠️ 🧑🏾‍🤝‍🧑🏼 👁️‍🗨️ 🏃🏽‍♀️‍➡️ 🇪🇸 🇺🇸 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ #️⃣ *️⃣ 9⃣ 🔟'

test('any emoji is a valid reaction', async () => {
  const all = `${EMOJI} ${LONG_EMOJI}`.split(' ')
  const [refused] = await team.sql<{ emoji: string[] | null }>(
    'select array_agg(emoji) as emoji from unnest($1::text[]) emoji where not private.is_emoji(emoji)',
    [all],
  )
  expect(refused?.emoji).toBeNull()
  await react(theo, await send(maya), '👩🏽‍❤️‍💋‍👨🏻')
})

test.each([
  ['a word', 'hello'],
  ['a Cyrillic word', 'привет'],
  ['Chinese', '你好'],
  ['Arabic', 'مرحبا'],
  ['Hindi', 'नमस्ते'],
  ['Korean', '안녕'],
  ['kana', 'ア'],
  ['one accented letter', 'é'],
  ['a digit', '1'],
  ['a mathematical letter', '𝐀'],
  ['a word beside an emoji', '👍да'],
  ['two emoji', '👍👍'],
  ['half a flag', '🇪'],
  ['three flag letters', '🇪🇸🇺'],
  ['nothing', ''],
  ['a space', ' '],
  ['a line below an emoji', '👍\n'],
  ['a joiner alone', '\u200d'],
  ['a selector alone', '\ufe0f'],
  ['an unfinished sequence', '👩\u200d'],
  ['more than the longest emoji', Array.from({ length: 8 }, () => '👩').join('\u200d')],
])('a reaction cannot be %s', async (_, text) => {
  await expect(react(theo, await send(maya), text)).rejects.toMatchObject(BROKEN_RULE)
})

test("nobody removes somebody else's reaction", async () => {
  const message = await send(maya)
  await react(theo, message)
  await as(maya, 'delete from public.chat_reactions where message_id = $1', [message])
  expect(await stored(message)).toMatchObject({ reaction_counts: { '👍': 1 } })
})

test('a non-participant sees no reactions', async () => {
  const message = await send(maya)
  await react(theo, message)
  const read = 'select emoji from public.chat_reactions where message_id = $1'
  expect(await as(outsider, read, [message])).toEqual([])
  expect(await as(maya, read, [message])).toHaveLength(1)
})

test('reaction counts cannot be written directly', async () => {
  const message = await send(maya)
  const change = `update public.chat_messages set reaction_counts = '{"👍": 99}' where id = $1`
  await expect(as(maya, change, [message])).rejects.toMatchObject(REFUSED)
})

test("an admin deletes a member's message only with a reason", async () => {
  const message = await send(maya)
  const remove =
    'update public.chat_messages set is_deleted = true, deleted_reason = $2 where id = $1'
  await expect(as(admin, remove, [message, ' '])).rejects.toMatchObject(BROKEN_RULE)
  await as(admin, remove, [message, 'Names a customer'])
  expect(await stored(message)).toMatchObject({
    is_deleted: true,
    deleted_by: admin.id,
    deleted_reason: 'Names a customer',
  })
})

test('members delete their own message without a reason', async () => {
  const message = await send(maya)
  await as(maya, 'update public.chat_messages set is_deleted = true where id = $1', [message])
  expect(await stored(message)).toMatchObject({ is_deleted: true, deleted_by: maya.id })
})

test('a returning device gets edits, reactions and deletions, without the deleted text', async () => {
  const since = new Date(Date.now() - 60_000).toISOString()
  const [edited, deleted, untouched] = [await send(maya), await send(maya), await send(maya)]
  await as(maya, "update public.chat_messages set message = 'Edited' where id = $1", [edited])
  await as(maya, 'update public.chat_messages set is_deleted = true where id = $1', [deleted])
  const changes = await as(theo, 'select * from public.chat_changes($1, $2)', [chatId, since])
  expect(changes).toMatchObject([
    { id: edited, message: 'Edited', is_deleted: false },
    { id: deleted, message: '', is_deleted: true },
  ])
  expect(changes).not.toContainEqual(expect.objectContaining({ id: untouched }))
  expect(await as(outsider, 'select * from public.chat_changes($1, $2)', [chatId, since])).toEqual(
    [],
  )
})

test('an image must have been uploaded by the sender for that message', async () => {
  const id = randomUUID()
  const path = `${chatId}/${id}.jpg`
  const attachment = { path, width: 100, height: 80 }
  await expect(send(maya, { id, attachment, message: '' })).rejects.toMatchObject(BROKEN_RULE)
  await team.sql(
    "insert into storage.objects (bucket_id, name, owner_id) values ('chat-images', $1, $2)",
    [path, maya.id],
  )
  await expect(send(theo, { id, attachment, message: '' })).rejects.toMatchObject(BROKEN_RULE)
  await send(maya, { id, attachment, message: '' })
  expect(await stored(id)).toMatchObject({ attachment, message: '' })
})

test("only participants see a chat's images, and only those who may send upload them", async () => {
  const path = `${chatId}/${randomUUID()}.jpg`
  const upload =
    "insert into storage.objects (bucket_id, name, owner_id) values ('chat-images', $1, $2)"
  await expect(as(outsider, upload, [path, outsider.id])).rejects.toMatchObject(REFUSED)
  await expect(as(muted, upload, [path, muted.id])).rejects.toMatchObject(REFUSED)
  await expect(as(maya, upload, ['elsewhere.jpg', maya.id])).rejects.toMatchObject(REFUSED)
  await as(maya, upload, [path, maya.id])
  const read = "select name from storage.objects where bucket_id = 'chat-images' and name = $1"
  expect(await as(theo, read, [path])).toHaveLength(1)
  expect(await as(outsider, read, [path])).toEqual([])
})

test('a search for a person brings the chats with them, those with the newest message first', async () => {
  const [early, late] = [await aGroup([maya, theo]), await aGroup([maya, theo])]
  for (const chat_id of [late, early, late]) await send(maya, { chat_id })
  const search = (name: string) =>
    as<{ chat_id: string; first_name: string; found: number }>(
      maya,
      'select * from public.chats_with_member($1)',
      [name],
    )
  const found = async () => (await search('Theo')).map(({ chat_id }) => chat_id)
  expect((await found()).slice(0, 2)).toEqual([late, early])
  await send(maya, { chat_id: early })
  expect((await found()).slice(0, 2)).toEqual([early, late])
  expect((await search('Theo'))[0]).toMatchObject({ first_name: 'Theo', found: 1 })
  // Everybody is in the team's chat.
  expect(await found()).not.toContain(team.mandatoryChatId)
})
