// @vitest-environment node
import { expect, test } from 'vitest'
import { aMessage } from '#features/chat/model/chat-builders.ts'
import { threadRows } from './thread-rows.ts'
import { topOfView } from './top-of-view.ts'

const message = (id: string, sender_id: string, sent_at: string) =>
  aMessage({ id, sender_id, sent_at })

const rows = threadRows({
  messages: [
    message('late', 'ben', '2026-11-19T15:00:00Z'),
    message('early', 'ana', '2026-11-20T14:00:00Z'),
    message('first', 'ben', '2026-11-20T15:00:00Z'),
    message('second', 'ben', '2026-11-20T15:01:00Z'),
    message('own', 'maya', '2026-11-20T15:02:00Z'),
    message('new', 'ana', '2026-11-20T16:00:00Z'),
  ],
  pending: [],
  memberId: 'maya',
  lastReadAt: '2026-11-20T15:30:00Z',
  timeZone: 'America/New_York',
})

/** What the note says while these and what is between them are under it. */
function noteOver(first: string, last = first) {
  const place = (wanted: string) => rows.findIndex(({ key }) => key === wanted)
  return topOfView(rows.slice(place(first), place(last) + 1), 'maya')
}

test('the floating note names the day of the first message that can be read below it', () => {
  expect(noteOver('late')).toEqual({ date: '2026-11-19T15:00:00Z', senderId: null })
  expect(noteOver('early', 'first')).toEqual({ date: '2026-11-20T15:00:00Z', senderId: null })
})

test('it names who wrote a run that began above, but not the member', () => {
  expect(noteOver('second')?.senderId).toBe('ben')
  expect(noteOver('early', 'second')?.senderId).toBe('ben')
  expect(noteOver('second', 'own')?.senderId).toBeNull()
})

test.each([
  ['a day that begins under it', 'late', 'day-2026-11-20'],
  ['a day that began under it', 'late', 'early'],
  ['the line above the new messages', 'own', 'new'],
])('it covers no row that says it: %s', (_, first, last) => {
  expect(noteOver(first, last)).toBeNull()
})
