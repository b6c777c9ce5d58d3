// A text that shows nothing is empty, wherever the database asks for one.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGroup, send } from './archive-records.ts'
import { said } from './review-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

/** Spaces, zero-width characters, direction marks, fillers, selectors and tags. */
const INVISIBLE = ['', ' \t\n', '\u00a0\u3000', '\u200b\u200d\ufeff', '\u202e\u2066', '\u3164']
INVISIBLE.push('\u2800', '\u00ad', '\ufe0f', '\u{e0041}', '\u180e\u115f', '\ufff9\u{1bca0}')

let team: Team
let ada: Person
let sue: Person
let maya: Person
let theo: Person
let chatId: string

beforeAll(async () => {
  team = await aTeam()
  ada = await team.aMember({ firstName: 'Ada', isAdmin: true })
  sue = await team.aMember({ firstName: 'Sue', canSupervise: true })
  maya = await team.aMember({ firstName: 'Maya' })
  theo = await team.aMember({ firstName: 'Theo' })
  chatId = await aGroup(maya, [theo, ada])
})
afterAll(() => team?.close())

test('what is visible is not blank, also an emoji, a letter of any script and one that is joined', async () => {
  for (const words of ['a', ' . ', '\t.\u00a0\u2028\n', '👍🏽', '👩‍👩‍👧', 'ß', 'ক্‍ষ', '你', '\u200b!'])
    expect(
      await team.sql('select private.is_blank($1) as blank, private.trimmed($1) as kept', [words]),
    ).toEqual([{ blank: false, kept: words.trim() }])
})

describe.each(INVISIBLE.map((text) => ({ text, shown: JSON.stringify(text) })))(
  'a text of nothing but $shown is none',
  ({ text }) => {
    const refused = async (request: PromiseLike<{ error: unknown }>, message: string) =>
      expect(String(((await request).error as Error | null)?.message)).toContain(message)

    test('as a reason for removing a message or a member, looking, searching, holding and lifting', async () => {
      const message_id = await send(maya, 'Hello', chatId)
      const hold_id = randomUUID()
      await call(ada, 'place_legal_hold', { reason: 'Case 7', member_id: theo.id, hold_id })
      await refused(
        call(ada, 'remove_message', { message_id, reason: text }),
        "Give a reason for removing a member's message",
      )
      await refused(
        call(ada, 'set_member_status', { member_id: maya.id, status: 'removed', reason: text }),
        'Give a reason for suspending or removing a member',
      )
      await refused(
        call(sue, 'look_at_chat', { chat_id: chatId, reason: text }),
        'Give a reason for the look',
      )
      await refused(
        call(sue, 'search_archive', { reason: text.repeat(5) }),
        'Say why you search, in 3 to 500 characters',
      )
      await refused(
        call(ada, 'place_legal_hold', { member_id: maya.id, reason: text }),
        'Give a reason for the hold',
      )
      await refused(
        call(ada, 'lift_legal_hold', { hold_id, reason: text }),
        'Give a reason for lifting the hold',
      )
      await call(ada, 'lift_legal_hold', { hold_id, reason: 'Over' })
    })

    test('as the name of a group, a message and a title', async () => {
      const members = { member_ids: [theo.id, ada.id] }
      await refused(
        call(maya, 'create_chat', { ...members, name: text, first_message: 'Hi' }),
        'Please enter a group name',
      )
      await refused(
        call(maya, 'create_chat', { ...members, name: 'Squad', first_message: text }),
        'Please write a first message',
      )
      await refused(
        maya.client.from('chats').update({ name: text }).eq('id', chatId),
        'Group name must have 1 to 50 characters',
      )
      await refused(
        maya.client
          .from('chat_messages')
          .insert({ chat_id: chatId, sender_id: maya.id, message: text }),
        'Message must not be blank',
      )
      await refused(ada.client.from('home_content').insert({ title: text }), 'Title is required')
    })

    test('as a note of a review, a phrase of the lexicon and one of its exceptions', async () => {
      const [item] = await said(team, maya, `Guaranteed 12 % returns! ${randomUUID()}`)
      await refused(
        call(sue, 'note_review_item', { item_id: item?.id, note: text }),
        'Write a note',
      )
      const entry = { entry_id: randomUUID(), language: 'en', category: 'other', near: text }
      await refused(
        call(sue, 'save_lexicon_entry', { ...entry, phrase: text }),
        'Phrase needs a word of two letters or digits',
      )
      const saved = { ...entry, phrase: `okapi ${entry.entry_id}`, exceptions: [text, 'an okapi'] }
      expect((await call(sue, 'save_lexicon_entry', saved)).error).toBeNull()
      expect(
        await team.sql('select near, exceptions from private.lexicon_entries where id = $1', [
          entry.entry_id,
        ]),
      ).toEqual([{ near: null, exceptions: ['an okapi'] }])
    })

    test('as what a report says more: it is stored as nothing, like a name', async () => {
      const other = await team.aMember()
      const reported = { member_id: other.id, reason: 'spam', note: text }
      const { data: id } = await call(maya, 'report_member', reported)
      const [report] = await team.sql('select note from private.reports where id = $1', [id])
      expect(report).toEqual({ note: '' })
      await team.sql('delete from private.review_items where report_id = $1', [id])
      await team.sql('delete from private.reports where id = $1', [id])
      await other.client.from('users').update({ first_name: text }).eq('id', other.id)
      const [name] = await team.sql('select first_name from private.members where id = $1', [
        other.id,
      ])
      expect(name).toEqual({ first_name: '' })
    })
  },
)
