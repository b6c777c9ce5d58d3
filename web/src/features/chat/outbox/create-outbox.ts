import type { Message } from '#features/chat/model/chat-types.ts'
import { drainOutbox, type SendResult } from './drain-outbox.ts'
import type { OutboxEntry } from './outbox-entry.ts'
import type { OutboxStore } from './outbox-store.ts'

/** The Realtime library's reconnect delays: 1 s, 2 s, 5 s, 10 s, then 10 s again. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000]

export type Outbox = {
  /** Messages not yet confirmed, in the order written. The same array until it changes. */
  entries(): readonly OutboxEntry[]
  subscribe(listener: () => void): () => void
  add(entry: OutboxEntry): Promise<void>
  retry(id: string): Promise<void>
  discard(id: string): Promise<void>
  /** Sends what is waiting now: the connection is back, or the member asked. */
  wake(): void
  close(): void
}

type OutboxParts = {
  memberId: string
  store: OutboxStore
  /** `canceled` is aborted when the entry is discarded, in this tab or another. */
  send: (entry: OutboxEntry, canceled: AbortSignal) => Promise<SendResult>
  onStored: (message: Message) => void
  onRefused: (reason: string) => void
  /** Runs the work while no other tab does. */
  withLock: (work: () => Promise<void>) => Promise<void>
  /** Notifies other tabs, and is notified by them, when the stored entries change. */
  otherTabs: { notify(): void; subscribe(onChange: () => void): () => void }
}

/** Where the browser denies storage: nothing waits, and adding a message says so. */
const stopped = (error: unknown) => console.error('The outbox stopped', error)

/**
 * One member's outbox in one tab. The store is the source of truth; the entries here are its latest
 * snapshot.
 */
export function createOutbox(parts: OutboxParts): Outbox {
  const { memberId, store, otherTabs } = parts
  const listeners = new Set<() => void>()
  let entries: readonly OutboxEntry[] = []
  let isClosed = false
  let attempts = 0
  let isDraining = false
  let wakeAfterDrain = false
  let underWay: { id: string; canceled: AbortController } | null = null
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  const unsubscribe = otherTabs.subscribe(() => void refresh().catch(stopped))

  function setEntries(next: readonly OutboxEntry[]) {
    entries = next
    for (const listener of listeners) listener()
  }

  async function refresh() {
    const stored = await store.all(memberId)
    if (underWay && !stored.some(({ id }) => id === underWay?.id)) underWay.canceled.abort()
    if (!isClosed) setEntries(stored)
  }

  async function change(work: () => Promise<void>) {
    await work()
    await refresh()
    otherTabs.notify()
  }

  function wake() {
    clearTimeout(retryTimer)
    wakeAfterDrain = isDraining
    if (isClosed || isDraining) return
    isDraining = true
    parts
      .withLock(drain)
      .catch(stopped)
      .finally(() => {
        isDraining = false
        // A message was added after the last drain found nothing more to send.
        if (wakeAfterDrain) wake()
      })
  }

  async function drain() {
    const end = await drainOutbox({
      store,
      memberId,
      send,
      onStored: (entry, message) => {
        attempts = 0
        parts.onStored(message)
        setEntries(entries.filter(({ id }) => id !== entry.id))
      },
      onRefused: parts.onRefused,
    })
    await refresh()
    otherTabs.notify()
    if (end === 'unreachable' && !isClosed) retryLater()
  }

  async function send(entry: OutboxEntry): Promise<SendResult> {
    const canceled = new AbortController()
    underWay = { id: entry.id, canceled }
    try {
      return await parts.send(entry, canceled.signal)
    } finally {
      underWay = null
    }
  }

  function retryLater() {
    const delay = RETRY_DELAYS_MS[Math.min(attempts++, RETRY_DELAYS_MS.length - 1)]
    retryTimer = setTimeout(wake, delay)
  }

  void refresh().then(wake, stopped)

  return {
    entries: () => entries,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async add(entry) {
      setEntries([...entries, entry])
      await change(() => store.add(entry))
      wake()
    },
    async retry(id) {
      await change(() => store.setState(id, { step: 'waiting' }))
      wake()
    },
    discard: (id) => change(() => store.remove(id)),
    wake: () => {
      attempts = 0
      wake()
    },
    close() {
      isClosed = true
      clearTimeout(retryTimer)
      unsubscribe()
    },
  }
}
