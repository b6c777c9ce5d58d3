// @vitest-environment node
import { expect, test } from 'vitest'
import { aMessage } from '#features/chat/model/chat-builders.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import { anEntry } from '#features/chat/outbox/outbox-builders.ts'
import { lastOwnId, threadRows } from './thread-rows.ts'

function rows(messages: Message[], changes: Partial<Parameters<typeof threadRows>[0]> = {}) {
  return threadRows({
    messages,
    pending: [],
    memberId: 'maya',
    lastReadAt: undefined,
    timeZone: 'America/New_York',
    ...changes,
  })
}

const evening = aMessage({ id: 'evening', sent_at: '2026-11-20T04:30:00Z' })
const night = aMessage({ id: 'night', sent_at: '2026-11-20T05:30:00Z' })
const morning = aMessage({ id: 'morning', sent_at: '2026-11-20T14:00:00Z' })

test("a day separator precedes the first message of each day in the viewer's time zone", () => {
  expect(rows([evening, night, morning]).map(({ key }) => key)).toEqual([
    'day-2026-11-19',
    'evening',
    'day-2026-11-20',
    'night',
    'morning',
  ])
})

test('the new messages line precedes the first unread message of somebody else', () => {
  const own = aMessage({ id: 'own', sender_id: 'maya', sent_at: '2026-11-20T05:45:00Z' })
  const shown = rows([night, own, morning], { lastReadAt: '2026-11-20T05:40:00Z' })
  expect(shown.map(({ key }) => key)).toEqual([
    'day-2026-11-20',
    'night',
    'own',
    'new-messages',
    'morning',
  ])
})

test('for a member who never read the chat the line precedes everything', () => {
  expect(rows([morning], { lastReadAt: null }).map(({ kind }) => kind)).toEqual([
    'day',
    'new-messages',
    'message',
  ])
})

test('while the first unread message is not loaded there is no line, rather than a wrong one', () => {
  const changes = { lastReadAt: '2026-11-19T00:00:00Z', hasOlder: true }
  expect(rows([night, morning], changes).map(({ kind }) => kind)).not.toContain('new-messages')
  const reaching = { ...changes, lastReadAt: night.sent_at }
  expect(rows([night, morning], reaching).map(({ kind }) => kind)).toContain('new-messages')
})

test('a deleted message does not start the new messages line', () => {
  const deleted = { ...night, is_deleted: true }
  const shown = rows([deleted, morning], { lastReadAt: '2026-11-20T00:00:00Z' })
  expect(shown.map(({ key }) => key)).toEqual([
    'day-2026-11-20',
    'night',
    'new-messages',
    'morning',
  ])
})

test('messages of one sender in quick succession show the name once', () => {
  const next = aMessage({ id: 'next', sent_at: '2026-11-20T14:01:00Z' })
  const late = aMessage({ id: 'late', sent_at: '2026-11-20T14:10:00Z' })
  const other = aMessage({ id: 'other', sender_id: 'jonah', sent_at: '2026-11-20T14:11:00Z' })
  const shown = rows([morning, next, late, other]).filter((row) => row.kind === 'message')
  expect(shown.map((row) => [row.isFirstOfRun, row.isLastOfRun])).toEqual([
    [true, false],
    [false, true],
    [true, true],
    [true, true],
  ])
})

test('pending messages come last, in the order written', () => {
  const shown = rows([morning], { pending: [anEntry({ id: 'one' }), anEntry({ id: 'two' })] })
  expect(shown.map(({ key }) => key)).toEqual(['day-2026-11-20', 'morning', 'one', 'two'])
})

test('a message that is stored and still in the outbox shows once', () => {
  const shown = rows([morning], { pending: [anEntry({ id: 'morning' })] })
  expect(shown.map(({ kind }) => kind)).toEqual(['day', 'message'])
})

test('a thousand messages over a week are a thousand rows and a separator a day', () => {
  const messages = Array.from({ length: 1000 }, (_, n) =>
    aMessage({
      id: String(n),
      sent_at: new Date(Date.parse('2026-11-16T00:00:00Z') + n * 600_000).toISOString(),
    }),
  )
  const rows = threadRows({
    messages,
    pending: [],
    memberId: 'maya',
    lastReadAt: undefined,
    timeZone: 'UTC',
  })
  expect(rows.filter(({ kind }) => kind === 'message')).toHaveLength(1000)
  expect(rows.filter(({ kind }) => kind === 'day')).toHaveLength(7)
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
})

test('only the member’s own message at the very end is said to be seen, and not while another is on its way', () => {
  const own = aMessage({ id: 'own', sender_id: 'maya', sent_at: '2026-11-20T05:45:00Z' })
  expect(lastOwnId(rows([night, own]), 'maya')).toBe('own')
  expect(lastOwnId(rows([night, own, morning]), 'maya')).toBeNull()
  expect(lastOwnId(rows([night, own], { pending: [anEntry()] }), 'maya')).toBeNull()
  expect(lastOwnId([], 'maya')).toBeNull()
})
