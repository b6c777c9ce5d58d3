import { expect, test } from 'vitest'
import { aChat, aMessage } from '#features/chat/chat-builders.ts'
import { withChatRead, withHeardMessage } from './patch-chat-list.ts'

const team = aChat({ chat_id: 'team', unread_count: 2, is_archived: true })
const other = aChat({ chat_id: 'other', unread_count: 5 })
const news = aMessage({ id: 'news', chat_id: 'team', sender_id: 'dana', message: 'Doors open' })

test('a heard message becomes the last one of its chat and counts as unread', () => {
  const [heard, untouched] = withHeardMessage([team, other], news, 'maya')
  expect(heard).toMatchObject({ last_message: 'Doors open', unread_count: 3, is_archived: false })
  expect(untouched).toBe(other)
})

test('the own message does not count as unread', () => {
  expect(withHeardMessage([team], news, 'dana')[0]).toMatchObject({ unread_count: 2 })
})

test('a message heard twice counts once', () => {
  const once = withHeardMessage([team], news, 'maya')
  expect(withHeardMessage(once, news, 'maya')).toEqual(once)
})

test('a message older than the last one changes nothing', () => {
  const later = aChat({ chat_id: 'team', last_message_at: '2026-11-20T10:00:00Z' })
  expect(withHeardMessage([later], news, 'maya')[0]).toBe(later)
})

test('unread messages are counted up to 100, as by the server', () => {
  const full = aChat({ chat_id: 'team', unread_count: 100 })
  expect(withHeardMessage([full], news, 'maya')[0]?.unread_count).toBe(100)
})

test('a chat that was read counts nothing', () => {
  expect(withChatRead([team, other], 'team').map((chat) => chat.unread_count)).toEqual([0, 5])
})
