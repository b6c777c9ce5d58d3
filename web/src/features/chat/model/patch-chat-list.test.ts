// @vitest-environment node
import { expect, test } from 'vitest'
import { aChat, aMessage } from './chat-builders.ts'
import { withChatMarked, withChatRead, withLiveMessage } from './patch-chat-list.ts'

const team = aChat({ chat_id: 'team', unread_count: 2, is_archived: true })
const other = aChat({ chat_id: 'other', unread_count: 5 })
const news = aMessage({ id: 'news', chat_id: 'team', sender_id: 'dana', message: 'Doors open' })

test('a broadcast message becomes the last one of its chat and counts as unread', () => {
  const [updated, untouched] = withLiveMessage([team, other], news, 'maya')
  expect(updated).toMatchObject({ last_message: 'Doors open', unread_count: 3, is_archived: false })
  expect(untouched).toBe(other)
})

test("the member's own message does not count as unread", () => {
  expect(withLiveMessage([team], news, 'dana')[0]).toMatchObject({ unread_count: 2 })
})

test('a message received twice counts once', () => {
  const once = withLiveMessage([team], news, 'maya')
  expect(withLiveMessage(once, news, 'maya')).toEqual(once)
})

test('a message older than the last one changes nothing', () => {
  const later = aChat({ chat_id: 'team', last_message_at: '2026-11-20T10:00:00Z' })
  expect(withLiveMessage([later], news, 'maya')[0]).toBe(later)
})

test('unread messages are counted up to 100, like on the server', () => {
  const full = aChat({ chat_id: 'team', unread_count: 100 })
  expect(withLiveMessage([full], news, 'maya')[0]?.unread_count).toBe(100)
})

test('a chat that was read has no unread messages', () => {
  expect(withChatRead([team, other], 'team').map((chat) => chat.unread_count)).toEqual([0, 5])
})

test('a chat marked as unread is so until it is read', () => {
  const marked = withChatMarked([team, other], 'other', true)
  expect(marked.map((chat) => chat.is_marked_unread)).toEqual([false, true])
  const read = withChatMarked(marked, 'other', false)
  expect(read[1]).toMatchObject({ is_marked_unread: false, unread_count: 0 })
})
