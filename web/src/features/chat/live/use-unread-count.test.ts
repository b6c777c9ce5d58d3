import { expect, test } from 'vitest'
import { aChat } from '#features/chat/model/chat-builders.ts'
import { totalUnread } from './use-unread-count.ts'

const NOW = Date.parse('2026-11-20T09:00:00Z')

test('the total adds up the chats under All, without archived ones', () => {
  const chats = [aChat({ unread_count: 9 }), aChat({ unread_count: 3, is_archived: true })]
  expect(totalUnread(chats, NOW)).toBe(9)
})

test.each([
  ['for good', 'infinity', 1],
  ['for another hour', '2026-11-20T10:00:00Z', 1],
  ['until an hour ago', '2026-11-20T08:00:00Z', 10],
])('a chat muted %s counts accordingly', (_, muted_until, total) => {
  const chats = [aChat({ unread_count: 9, muted_until }), aChat({ unread_count: 1 })]
  expect(totalUnread(chats, NOW)).toBe(total)
})

test('a chat with mentions only counts as one while it has an unread mention or reply', () => {
  const quiet = { mentions_only: true, unread_count: 9 }
  expect(totalUnread([aChat(quiet)], NOW)).toBe(0)
  expect(totalUnread([aChat({ ...quiet, is_mentioned: true })], NOW)).toBe(1)
  expect(totalUnread([aChat({ ...quiet, is_marked_unread: true })], NOW)).toBe(1)
  const muted = { is_mentioned: true, muted_until: 'infinity' }
  expect(totalUnread([aChat({ ...quiet, ...muted })], NOW)).toBe(0)
})

test('a chat marked as unread counts as one, or as the messages unread in it', () => {
  const marked = { is_marked_unread: true }
  expect(totalUnread([aChat(marked), aChat({ ...marked, unread_count: 4 })], NOW)).toBe(5)
  expect(totalUnread([aChat({ ...marked, muted_until: 'infinity' })], NOW)).toBe(0)
})
