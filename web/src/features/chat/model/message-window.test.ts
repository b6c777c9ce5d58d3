import { expect, test } from 'vitest'
import { aMessage } from './chat-builders.ts'
import {
  joinNewest,
  addChanges,
  addMessage,
  addOlderPage,
  compareTimes,
  addLiveMessage,
  mergeMessages,
  newestPart,
  syncedFrom,
  type MessageWindow,
  withoutFarNewer,
  withoutFarOlder,
} from './message-window.ts'

const first = aMessage({ id: 'a', sent_at: '2026-11-20T09:00:00.000001+00:00' })
const second = aMessage({ id: 'b', sent_at: '2026-11-20T09:00:00.000002+00:00' })
const third = aMessage({ id: 'c', sent_at: '2026-11-20T09:00:01+00:00' })

function aWindow(changes: Partial<MessageWindow> = {}): MessageWindow {
  return { messages: [], hasOlder: false, hasNewer: false, syncedTo: null, ...changes }
}

test('messages are in server order whatever order they arrive in', () => {
  expect(mergeMessages([third], [second, first])).toEqual([first, second, third])
})

test('times that differ by a microsecond keep their order', () => {
  expect(compareTimes('2026-11-20T09:00:00.1Z', '2026-11-20T09:00:00.100001Z')).toBeLessThan(0)
  expect(compareTimes('2026-11-20T09:00:00+00:00', '2026-11-20T09:00:00.000Z')).toBe(0)
})

test('messages of the same moment are ordered by id', () => {
  const sameTime = aMessage({ id: 'z', sent_at: third.sent_at })
  expect(mergeMessages([sameTime], [third]).map(({ id }) => id)).toEqual(['c', 'z'])
})

test('a message that arrives by page, broadcast and response shows once', () => {
  const merged = mergeMessages(mergeMessages([first], [first, second]), [second])
  expect(merged.map(({ id }) => id)).toEqual(['a', 'b'])
})

test('an older version of a message never replaces a newer one', () => {
  const edited = { ...first, message: 'Edited', changed_at: '2026-11-20T10:00:00Z' }
  expect(mergeMessages([edited], [first])).toEqual([edited])
  expect(mergeMessages([first], [edited])).toEqual([edited])
})

test('a broadcast, which has no own reactions, keeps the known ones', () => {
  const reacted = { ...first, my_reactions: ['👍'] }
  const update = { ...first, reaction_counts: { '👍': 2 }, changed_at: '2026-11-20T10:00:00Z' }
  expect(mergeMessages([reacted], [update])[0]?.my_reactions).toEqual(['👍'])
})

test('without changes the same list is returned, so nothing rerenders', () => {
  const known = [first, second]
  expect(mergeMessages(known, [{ ...second }])).toBe(known)
})

test('a live message is added while the newest message is loaded', () => {
  expect(addMessage(aWindow({ messages: [first] }), second).messages).toHaveLength(2)
})

test('a live message stays out while the window ends in the past', () => {
  const past = aWindow({ messages: [first], hasNewer: true })
  expect(addMessage(past, third)).toBe(past)
})

test('an edit of a loaded message is applied even while the window ends in the past', () => {
  const past = aWindow({ messages: [first], hasNewer: true })
  const edited = { ...first, message: 'Edited', changed_at: '2026-11-20T10:00:00Z' }
  expect(addMessage(past, edited).messages[0]?.message).toBe('Edited')
})

test('an edit of a message older than the window does not leave a gap', () => {
  const window = aWindow({ messages: [second], hasOlder: true })
  expect(addChanges(window, [{ ...first, changed_at: '2026-11-20T10:00:00Z' }])).toBe(window)
})

test('an older page is prepended and says whether more is left', () => {
  const window = addOlderPage(aWindow({ messages: [third], hasOlder: true }), [first], false)
  expect(window).toEqual(aWindow({ messages: [first, third], hasOlder: false }))
})

test('a thread is synced up to its latest change, not its latest message', () => {
  const edited = { ...first, changed_at: '2026-11-20T12:00:00Z' }
  expect(syncedFrom(null, [edited, third])).toBe('2026-11-20T12:00:00Z')
  expect(syncedFrom(null, [])).toBeNull()
})

test('the response to an own message does not move the sync point', () => {
  const window = aWindow({ messages: [first], syncedTo: first.sent_at })
  expect(addMessage(window, third).syncedTo).toBe(first.sent_at)
})

test('nor does a live message before the thread has caught up', () => {
  const window = aWindow({ messages: [first], syncedTo: first.sent_at })
  expect(addLiveMessage(window, third, false).syncedTo).toBe(first.sent_at)
  expect(addLiveMessage(window, third, true).syncedTo).toBe(third.sent_at)
})

test('of a long history the newest part is kept when the thread is closed', () => {
  const messages = Array.from({ length: 300 }, (_, n) => aMessage({ id: String(n) }))
  const kept = newestPart(aWindow({ messages }))
  expect(kept.messages).toHaveLength(100)
  expect(kept.messages.at(-1)?.id).toBe('299')
  expect(kept.hasOlder).toBe(true)
})

test('why a message was removed is kept when a broadcast, which leaves it out, comes after the row', () => {
  const removed = { ...first, is_deleted: true, changed_at: third.sent_at }
  const known = { ...removed, deleted_reason: 'Off topic' }
  expect(mergeMessages([known], [removed])[0]?.deleted_reason).toBe('Off topic')
  const restored = { ...first, changed_at: '2026-11-20T09:00:02+00:00' }
  expect(mergeMessages([known], [restored])[0]?.deleted_reason).toBeNull()
})

test('the newest page joins a copy of the device where the two meet, and leaves its sync point', () => {
  const copy = aWindow({ messages: [first, second], syncedTo: second.sent_at, copiedAt: 1 })
  const newest = aWindow({ messages: [second, third], hasOlder: true, syncedTo: third.sent_at })
  expect(joinNewest(copy, newest)).toEqual(
    aWindow({ messages: [first, second, third], syncedTo: second.sent_at }),
  )
})

test('with a gap between them, and once the copy was caught up, the page is left alone', () => {
  const copy = aWindow({ messages: [first], copiedAt: 1 })
  expect(joinNewest(copy, aWindow({ messages: [third], hasOlder: true }))).toBe(copy)
  const caughtUp = aWindow({ messages: [first, third] })
  expect(joinNewest(caughtUp, aWindow({ messages: [second] }))).toBe(caughtUp)
})

test('of a long thread what is far from where it is read is forgotten, and known to be there', () => {
  const messages = Array.from({ length: 501 }, (_, n) => aMessage({ id: String(n) }))
  const ids = (window: MessageWindow) => window.messages.map(({ id }) => Number(id))
  const up = withoutFarNewer(aWindow({ messages }))
  expect([ids(up)[0], ids(up).at(-1), up.hasOlder, up.hasNewer]).toEqual([0, 399, false, true])
  const down = withoutFarOlder(aWindow({ messages }))
  expect([ids(down)[0], ids(down).at(-1), down.hasOlder, down.hasNewer]).toEqual([
    101,
    500,
    true,
    false,
  ])
  const short = aWindow({ messages: messages.slice(1) })
  expect([withoutFarNewer(short), withoutFarOlder(short)]).toEqual([short, short])
})
