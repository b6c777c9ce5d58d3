import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PresenceDiff } from '#realtime/protocol/messages.ts'
import { createPresenceTracker, type SharedPresence } from './presence-tracker.ts'
import { createSocketWriter } from '#realtime/socket/socket-writer.ts'
import { testChannel, type TestChannel } from '#realtime/channels/test-channels.ts'
import { createTopics } from '#realtime/channels/topics.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function testTracker(processId = 'here') {
  const writer = createSocketWriter({ queuedBytesPerSocket: 1e6, onSlow: () => {} })
  const topics = createTopics(writer)
  const published: SharedPresence[] = []
  const tracker = createPresenceTracker({
    processId,
    topics,
    writer,
    publish: (change) => published.push(change),
  })
  return {
    tracker,
    published,
    join(channel: TestChannel) {
      tracker.flush(channel.key)
      topics.add(channel)
      return channel
    },
    flush() {
      vi.advanceTimersByTime(100)
      writer.flush()
    },
  }
}

function diffs(channel: TestChannel): PresenceDiff[] {
  return channel.texts().map((text) => (JSON.parse(text) as { payload: PresenceDiff }).payload)
}

test('a tracked member is in the diff and in the state', () => {
  const { tracker, join, flush } = testTracker()
  const listener = join(testChannel())
  const maya = join(testChannel({ key: 'maya' }))
  tracker.track(maya, { status: 'online' })
  flush()
  const [diff] = diffs(listener)
  expect(diff?.joins.maya?.metas).toMatchObject([{ status: 'online' }])
  expect(tracker.stateOf(maya.key)).toEqual(diff?.joins)
})

test('many joins at once are sent as one diff', () => {
  const { tracker, join, flush } = testTracker()
  const listener = join(testChannel())
  const members = Array.from({ length: 50 }, (_, index) => join(testChannel({ key: `${index}` })))
  for (const member of members) tracker.track(member, {})
  flush()
  expect(diffs(listener).map(({ joins }) => Object.keys(joins).length)).toEqual([50])
})

test('changed metadata is a leave and a join', () => {
  const { tracker, join, flush } = testTracker()
  const listener = join(testChannel())
  const maya = join(testChannel({ key: 'maya' }))
  tracker.track(maya, { status: 'online' })
  flush()
  tracker.track(maya, { status: 'away' })
  flush()
  const [joined, changed] = diffs(listener)
  const before = joined?.joins.maya?.metas[0]?.phx_ref
  expect(changed?.leaves.maya?.metas).toMatchObject([{ phx_ref: before }])
  expect(changed?.joins.maya?.metas).toMatchObject([{ status: 'away', phx_ref_prev: before }])
})

test('tracking the same metadata again sends no diff', () => {
  const { tracker, join, flush } = testTracker()
  const listener = join(testChannel())
  const maya = join(testChannel({ key: 'maya' }))
  tracker.track(maya, { status: 'online' })
  flush()
  tracker.track(maya, { status: 'online' })
  flush()
  expect(diffs(listener)).toHaveLength(1)
})

test('a join and leave within one batch sends no diff', () => {
  const { tracker, join, flush } = testTracker()
  const listener = join(testChannel())
  const maya = join(testChannel({ key: 'maya' }))
  tracker.track(maya, {})
  tracker.untrack(maya)
  flush()
  expect(diffs(listener)).toEqual([])
})

test('a member on two devices is present until both leave', () => {
  const { tracker, join, flush } = testTracker()
  const [phone, desk] = [join(testChannel({ key: 'maya' })), join(testChannel({ key: 'maya' }))]
  tracker.track(phone, {})
  tracker.track(desk, {})
  flush()
  tracker.untrack(phone)
  expect(tracker.stateOf(phone.key).maya?.metas).toHaveLength(1)
  tracker.untrack(desk)
  expect(tracker.stateOf(phone.key)).toEqual({})
})

test('"__proto__" is an ordinary presence key', () => {
  const { tracker, join } = testTracker()
  tracker.track(join(testChannel({ key: '__proto__' })), {})
  expect(Object.keys(tracker.stateOf('public:room'))).toEqual(['__proto__'])
})

test('members of another process appear, and leave when it does', () => {
  const [here, there] = [testTracker('here'), testTracker('there')]
  const listener = here.join(testChannel())
  const maya = there.join(testChannel({ key: 'maya' }))
  there.tracker.track(maya, {})
  there.flush()
  for (const change of there.published) here.tracker.applyRemote('there', change)
  here.tracker.replaceRemote('there', there.tracker.local())
  here.flush()
  expect(here.published).toEqual([])
  here.tracker.replaceRemote('there', [])
  here.flush()
  const [joined, left] = diffs(listener)
  expect(diffs(listener)).toHaveLength(2)
  expect(Object.keys(joined?.joins ?? {})).toEqual(['maya'])
  expect(Object.keys(left?.leaves ?? {})).toEqual(['maya'])
})
