import { expect, test } from 'vitest'
import { aChat } from './chat-builders.ts'
import { totalUnread, unreadLabel } from './unread-count.ts'

test('a badge shows nothing at zero', () => {
  expect(unreadLabel(0)).toBeNull()
})

test('a badge shows the count up to 99', () => {
  expect(unreadLabel(1)).toBe('1')
  expect(unreadLabel(99)).toBe('99')
})

test('a badge caps at 99+', () => {
  expect(unreadLabel(100)).toBe('99+')
  expect(unreadLabel(12_000)).toBe('99+')
})

test('the total adds up every chat, archived ones too', () => {
  const chats = [aChat({ unread_count: 9 }), aChat({ unread_count: 3, is_archived: true })]
  expect(totalUnread(chats)).toBe(12)
})

test('a muted chat does not count into the total', () => {
  expect(
    totalUnread([aChat({ unread_count: 9, is_muted: true }), aChat({ unread_count: 1 })]),
  ).toBe(1)
})
