// @vitest-environment node
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aMessage } from '#features/chat/model/chat-builders.ts'
import type { SendResult } from './drain-outbox.ts'
import { anEntry } from './outbox-builders.ts'
import type { OutboxEntry } from './outbox-entry.ts'
import { openOutboxStore } from './outbox-store.ts'
import { createOutbox, type Outbox } from './create-outbox.ts'

let name = ''
let isOnline = true
let isForbidden = false
let delivered: string[] = []
let opened: Outbox[] = []
let lock = Promise.resolve()
const listeners = new Set<() => void>()

beforeEach(() => {
  name = `outbox-${crypto.randomUUID()}`
  isOnline = true
  isForbidden = false
  delivered = []
  opened = []
  listeners.clear()
})

afterEach(() => opened.forEach((outbox) => outbox.close()))

async function send(entry: OutboxEntry): Promise<SendResult> {
  await Promise.resolve()
  if (!isOnline) return { kind: 'unreachable' }
  if (isForbidden) return { kind: 'refused', reason: 'No' }
  if (!delivered.includes(entry.id)) delivered.push(entry.id)
  return { kind: 'stored', message: aMessage({ id: entry.id }) }
}

function openTab(overrides: Partial<Parameters<typeof createOutbox>[0]> = {}) {
  const outbox = createOutbox({
    memberId: 'maya',
    store: openOutboxStore(name),
    send,
    onStored: vi.fn(),
    onRefused: vi.fn(),
    withLock: (work) => (lock = lock.then(work)),
    otherTabs: {
      notify: () => listeners.forEach((listener) => listener()),
      subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    },
    ...overrides,
  })
  opened.push(outbox)
  return outbox
}

function ids(outbox: Outbox) {
  return outbox.entries().map(({ id }) => id)
}

test('a new message shows at once and leaves the outbox when it is stored', async () => {
  const tab = openTab()
  const adding = tab.add(anEntry({ id: 'one' }))
  expect(ids(tab)).toEqual(['one'])
  await adding
  await vi.waitFor(() => expect(ids(tab)).toEqual([]))
  expect(delivered).toEqual(['one'])
})

test('written offline, app closed, reopened online: delivered once and in order', async () => {
  isOnline = false
  const before = openTab()
  for (const id of ['one', 'two', 'three']) await before.add(anEntry({ id }))
  before.close()
  isOnline = true
  const after = openTab()
  await vi.waitFor(() => expect(delivered).toEqual(['one', 'two', 'three']))
  await vi.waitFor(() => expect(ids(after)).toEqual([]))
})

test('two tabs deliver each message once', async () => {
  const sends = vi.fn(send)
  const [left, right] = [openTab({ send: sends }), openTab({ send: sends })]
  await Promise.all([left.add(anEntry({ id: 'one' })), right.add(anEntry({ id: 'two' }))])
  await vi.waitFor(() => expect(ids(left).concat(ids(right))).toEqual([]))
  expect(sends).toHaveBeenCalledTimes(2)
})

test('what one tab writes offline is pending in the other tab too', async () => {
  isOnline = false
  const [left, right] = [openTab(), openTab()]
  await left.add(anEntry({ id: 'one' }))
  await vi.waitFor(() => expect(ids(right)).toEqual(['one']))
})

test('a failed message says so, and goes out on retry', async () => {
  const onRefused = vi.fn()
  const tab = openTab({ onRefused })
  isForbidden = true
  await tab.add(anEntry({ id: 'one' }))
  await vi.waitFor(() => expect(tab.entries()[0]?.state.step).toBe('failed'))
  expect(onRefused).toHaveBeenCalledOnce()
  isForbidden = false
  await tab.retry('one')
  await vi.waitFor(() => expect(ids(tab)).toEqual([]))
  expect(delivered).toEqual(['one'])
})

test('without storage the outbox says so, and a message that cannot wait is refused', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const denied = new Error('storage is denied')
  const deny = () => Promise.reject(denied)
  const tab = openTab({ store: { ...openOutboxStore(name), all: deny, add: deny } })
  await vi.waitFor(() => expect(said).toHaveBeenCalledWith('The outbox stopped', denied))
  listeners.forEach((tellOfAnotherTab) => tellOfAnotherTab())
  await vi.waitFor(() => expect(said).toHaveBeenCalledTimes(2))
  await expect(tab.add(anEntry({ id: 'one' }))).rejects.toThrow('storage is denied')
})

test('a failed message is gone when its author discards it', async () => {
  isForbidden = true
  const tab = openTab()
  await tab.add(anEntry({ id: 'one' }))
  await vi.waitFor(() => expect(tab.entries()[0]?.state.step).toBe('failed'))
  await tab.discard('one')
  expect(ids(tab)).toEqual([])
})

test('a message discarded in another tab while it is being sent is not sent, and the next one is', async () => {
  const sends = vi.fn((entry: OutboxEntry, canceled: AbortSignal): Promise<SendResult> => {
    if (entry.id === 'two') return send(entry)
    return new Promise((resolve) =>
      canceled.addEventListener('abort', () => resolve({ kind: 'canceled' })),
    )
  })
  const [left, right] = [openTab({ send: sends }), openTab({ send: sends })]
  await left.add(anEntry({ id: 'one' }))
  await vi.waitFor(() => expect(sends).toHaveBeenCalledOnce())
  await left.add(anEntry({ id: 'two' }))
  await right.discard('one')
  await vi.waitFor(() => expect(delivered).toEqual(['two']))
  expect(sends).toHaveBeenCalledTimes(2)
})

test('back online, waking sends at once instead of at the next retry', async () => {
  isOnline = false
  const tab = openTab()
  await tab.add(anEntry({ id: 'one' }))
  isOnline = true
  await lock
  await new Promise(setImmediate)
  tab.wake()
  await lock
  expect(delivered).toEqual(['one'])
})
