// @vitest-environment node
import { expect, test } from 'vitest'
import { aChat } from '#features/chat/model/chat-builders.ts'
import { sortChats } from './sort-chats.ts'

function titles(chats: Parameters<typeof sortChats>[0]) {
  return sortChats(chats).map((chat) => chat.title)
}

test('the mandatory chat comes first, even when it is older and read', () => {
  const team = aChat({ title: 'Team', type: 'mandatory', last_message_at: '2026-01-01T00:00:00Z' })
  const busy = aChat({ title: 'Busy', unread_count: 9, last_message_at: '2026-11-20T00:00:00Z' })
  expect(titles([busy, team])).toEqual(['Team', 'Busy'])
})

test('chats with unread messages come before chats with a later message that is read', () => {
  const read = aChat({ title: 'Read', last_message_at: '2026-11-20T00:00:00Z' })
  const unread = aChat({
    title: 'Unread',
    unread_count: 1,
    last_message_at: '2026-11-01T00:00:00Z',
  })
  expect(titles([read, unread])).toEqual(['Unread', 'Read'])
})

test('pinned chats come after the mandatory one and before unread ones, by the same order', () => {
  const team = aChat({ title: 'Team', type: 'mandatory' })
  const unread = aChat({ title: 'Unread', unread_count: 3 })
  const pins = [
    aChat({ title: 'Old pin', is_pinned: true, last_message_at: '2026-11-02T00:00:00Z' }),
    aChat({ title: 'New pin', is_pinned: true, last_message_at: '2026-11-19T00:00:00Z' }),
    aChat({ title: 'Unread pin', is_pinned: true, unread_count: 1 }),
  ]
  expect(titles([unread, ...pins, team])).toEqual([
    'Team',
    'Unread pin',
    'New pin',
    'Old pin',
    'Unread',
  ])
})

test('a chat marked as unread comes with the unread ones', () => {
  const read = aChat({ title: 'Read', last_message_at: '2026-11-20T00:00:00Z' })
  const marked = aChat({
    title: 'Marked',
    is_marked_unread: true,
    last_message_at: '2026-11-01T00:00:00Z',
  })
  expect(titles([read, marked])).toEqual(['Marked', 'Read'])
})

test('a copy of an older version, without pins and marks, is sorted as before', () => {
  const old = (title: string, unread_count: number) => {
    const { is_pinned: _, is_marked_unread: __, ...chat } = aChat({ title, unread_count })
    return chat as ReturnType<typeof aChat>
  }
  expect(titles([old('Read', 0), old('Unread', 1)])).toEqual(['Unread', 'Read'])
})

test('otherwise the latest message decides', () => {
  const older = aChat({ title: 'Older', last_message_at: '2026-11-19T23:59:59Z' })
  const newer = aChat({ title: 'Newer', last_message_at: '2026-11-20T00:00:00Z' })
  expect(titles([older, newer])).toEqual(['Newer', 'Older'])
})

test('a chat without messages is sorted by its creation time', () => {
  const empty = aChat({ title: 'Empty', created_at: '2026-11-20T00:00:00Z' })
  const older = aChat({ title: 'Older', last_message_at: '2026-11-19T00:00:00Z' })
  const newer = aChat({ title: 'Newer', last_message_at: '2026-11-21T00:00:00Z' })
  expect(titles([older, empty, newer])).toEqual(['Newer', 'Empty', 'Older'])
})
