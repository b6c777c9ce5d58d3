import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PresenceDiff } from './messages.ts'
import { createOutbox } from './outbox.ts'
import { createPresenceBoard, type SharedPresence } from './presence-board.ts'
import { aChannel, type TestChannel } from './test-channels.ts'
import { createTopics } from './topics.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function aBoard(processId = 'here') {
  const outbox = createOutbox({ queuedBytesPerSocket: 1e6, onSlow: () => {} })
  const topics = createTopics(outbox)
  const shared: SharedPresence[] = []
  const board = createPresenceBoard({
    processId,
    topics,
    outbox,
    share: (change) => shared.push(change),
  })
  return {
    board,
    shared,
    join(channel: TestChannel) {
      board.settle(channel.key)
      topics.add(channel)
      return channel
    },
    tell() {
      vi.advanceTimersByTime(100)
      outbox.flush()
    },
  }
}

function diffs(channel: TestChannel): PresenceDiff[] {
  return channel.texts().map((text) => (JSON.parse(text) as { payload: PresenceDiff }).payload)
}

test('who tracks is told to the others and is in the state', () => {
  const { board, join, tell } = aBoard()
  const hearer = join(aChannel())
  const maya = join(aChannel({ key: 'maya' }))
  board.track(maya, { status: 'online' })
  tell()
  const [diff] = diffs(hearer)
  expect(diff?.joins.maya?.metas).toMatchObject([{ status: 'online' }])
  expect(board.stateOf(maya.key)).toEqual(diff?.joins)
})

test('many who come at once are one diff', () => {
  const { board, join, tell } = aBoard()
  const hearer = join(aChannel())
  const members = Array.from({ length: 50 }, (_, index) => join(aChannel({ key: `${index}` })))
  for (const member of members) board.track(member, {})
  tell()
  expect(diffs(hearer).map(({ joins }) => Object.keys(joins).length)).toEqual([50])
})

test('a changed state is a leave of the old one and a join of the new one', () => {
  const { board, join, tell } = aBoard()
  const hearer = join(aChannel())
  const maya = join(aChannel({ key: 'maya' }))
  board.track(maya, { status: 'online' })
  tell()
  board.track(maya, { status: 'away' })
  tell()
  const [came, changed] = diffs(hearer)
  const before = came?.joins.maya?.metas[0]?.phx_ref
  expect(changed?.leaves.maya?.metas).toMatchObject([{ phx_ref: before }])
  expect(changed?.joins.maya?.metas).toMatchObject([{ status: 'away', phx_ref_prev: before }])
})

test('tracking the same again tells nobody', () => {
  const { board, join, tell } = aBoard()
  const hearer = join(aChannel())
  const maya = join(aChannel({ key: 'maya' }))
  board.track(maya, { status: 'online' })
  tell()
  board.track(maya, { status: 'online' })
  tell()
  expect(diffs(hearer)).toHaveLength(1)
})

test('who comes and goes within a moment is not told at all', () => {
  const { board, join, tell } = aBoard()
  const hearer = join(aChannel())
  const maya = join(aChannel({ key: 'maya' }))
  board.track(maya, {})
  board.untrack(maya)
  tell()
  expect(diffs(hearer)).toEqual([])
})

test('one member on two devices is present until both are gone', () => {
  const { board, join, tell } = aBoard()
  const [phone, desk] = [join(aChannel({ key: 'maya' })), join(aChannel({ key: 'maya' }))]
  board.track(phone, {})
  board.track(desk, {})
  tell()
  board.untrack(phone)
  expect(board.stateOf(phone.key).maya?.metas).toHaveLength(1)
  board.untrack(desk)
  expect(board.stateOf(phone.key)).toEqual({})
})

test('a key that is a name of JavaScript is a key like any other', () => {
  const { board, join } = aBoard()
  board.track(join(aChannel({ key: '__proto__' })), {})
  expect(Object.keys(board.stateOf('public:room'))).toEqual(['__proto__'])
})

test('the members of another process come, change and vanish with it', () => {
  const [here, there] = [aBoard('here'), aBoard('there')]
  const hearer = here.join(aChannel())
  const maya = there.join(aChannel({ key: 'maya' }))
  there.board.track(maya, {})
  there.tell()
  for (const change of there.shared) here.board.applyShared('there', change)
  here.board.replaceShared('there', there.board.own())
  here.tell()
  expect(here.shared).toEqual([])
  here.board.replaceShared('there', [])
  here.tell()
  const [came, went] = diffs(hearer)
  expect(diffs(hearer)).toHaveLength(2)
  expect(Object.keys(came?.joins ?? {})).toEqual(['maya'])
  expect(Object.keys(went?.leaves ?? {})).toEqual(['maya'])
})
