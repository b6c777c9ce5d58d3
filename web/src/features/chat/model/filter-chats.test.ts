// @vitest-environment node
import { expect, test } from 'vitest'
import { aChat } from './chat-builders.ts'
import { filterChats, matchChats, unreadChats } from './filter-chats.ts'

const team = aChat({ title: 'Team', type: 'mandatory' })
const group = aChat({ title: 'Group' })
const pair = aChat({ title: 'Pair', type: 'individual' })
const archived = aChat({ title: 'Archived', is_archived: true })
const chats = [team, group, pair, archived]

test('All shows every chat that is not archived', () => {
  expect(filterChats(chats, 'all')).toEqual([team, group, pair])
})

test('Individual shows chats between two members', () => {
  expect(filterChats(chats, 'individual')).toEqual([pair])
})

test('Groups shows groups and the mandatory chat', () => {
  expect(filterChats(chats, 'groups')).toEqual([team, group])
})

test('Archived shows archived chats only', () => {
  expect(filterChats(chats, 'archived')).toEqual([archived])
})

test('Unread shows chats with unread messages, those marked as unread, and the open one', () => {
  const unread = aChat({ unread_count: 2 })
  const marked = aChat({ is_marked_unread: true })
  expect(unreadChats([group, unread, pair, marked], pair.chat_id)).toEqual([unread, pair, marked])
  expect(unreadChats([group, pair], null)).toEqual([])
})

const sofia = aChat({ chat_id: 'sofia', title: 'Sofía Nguyen', type: 'individual' })
const squad = aChat({ chat_id: 'squad', title: 'Field Squad North' })
const nobody = new Set<string>()

test('without a search every chat is shown', () => {
  expect(matchChats([sofia, squad], '  ', nobody)).toEqual([sofia, squad])
})

test('a chat is found by a part of its title, ignoring accents and case', () => {
  expect(matchChats([sofia, squad], 'SOFIA n', nobody)).toEqual([sofia])
})

test('a chat is found by a participant', () => {
  expect(matchChats([sofia, squad], 'Priya', new Set(['squad']))).toEqual([squad])
})
