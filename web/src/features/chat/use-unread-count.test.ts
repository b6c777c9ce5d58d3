import { expect, test } from 'vitest'
import { aChat } from './chat-builders.ts'
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
