// @vitest-environment node
import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { aMessage } from '#features/chat/model/chat-builders.ts'
import { drainOutbox, type SendResult } from './drain-outbox.ts'
import { anEntry } from './outbox-builders.ts'
import type { OutboxEntry } from './outbox-entry.ts'
import { openOutboxStore, type OutboxStore } from './outbox-store.ts'

let store: OutboxStore
const onStored = vi.fn()
const onRefused = vi.fn()

beforeEach(async () => {
  vi.resetAllMocks()
  store = openOutboxStore(`outbox-${crypto.randomUUID()}`)
  for (const id of ['one', 'two', 'three']) await store.add(anEntry({ id, text: id }))
})

function drain(send: (entry: OutboxEntry) => Promise<SendResult>) {
  return drainOutbox({ store, memberId: 'maya', send, onStored, onRefused })
}

function stored({ id }: OutboxEntry): SendResult {
  return { kind: 'stored', message: aMessage({ id }) }
}

test('messages are sent one at a time, in the order written', async () => {
  const sent: string[] = []
  let underWay = 0
  await drain(async (entry) => {
    expect(++underWay).toBe(1)
    await Promise.resolve()
    underWay--
    sent.push(entry.id)
    return stored(entry)
  })
  expect(sent).toEqual(['one', 'two', 'three'])
  expect(await store.all('maya')).toEqual([])
})

test('offline, nothing is lost and nothing overtakes', async () => {
  const send = vi.fn(async (entry: OutboxEntry): Promise<SendResult> =>
    entry.id === 'two' ? { kind: 'unreachable' } : stored(entry),
  )
  expect(await drain(send)).toBe('unreachable')
  expect(send).toHaveBeenCalledTimes(2)
  expect((await store.all('maya')).map(({ id }) => id)).toEqual(['two', 'three'])
})

test('a refused message stays with its reason and the next one goes out', async () => {
  await drain(async (entry) =>
    entry.id === 'one' ? { kind: 'refused', reason: 'Not a participant' } : stored(entry),
  )
  expect(onRefused).toHaveBeenCalledExactlyOnceWith('Not a participant')
  expect(await store.all('maya')).toMatchObject([
    { id: 'one', state: { step: 'failed', reason: 'Not a participant' } },
  ])
})

test('a failed message is not retried until the member asks', async () => {
  await store.setState('one', { step: 'failed', reason: 'No' })
  const send = vi.fn(async (entry: OutboxEntry) => stored(entry))
  await drain(send)
  expect(send.mock.calls.map(([{ id }]) => id)).toEqual(['two', 'three'])
})

test('a message written during a drain goes out in the same one', async () => {
  const sent: string[] = []
  await drain(async (entry) => {
    if (entry.id === 'three') await store.add(anEntry({ id: 'four' }))
    sent.push(entry.id)
    return stored(entry)
  })
  expect(sent).toEqual(['one', 'two', 'three', 'four'])
})
