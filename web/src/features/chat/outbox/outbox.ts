import type { Message } from '#features/chat/chat-types.ts'
import { drainOutbox, type SendResult } from './drain-outbox.ts'
import type { OutboxEntry } from './outbox-entry.ts'
import type { OutboxStore } from './outbox-store.ts'

/** As the realtime library waits between its tries: 1 s, 2 s, 5 s, 10 s, then 10 s again. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000]

export type Outbox = {
  /** What is not yet known to be stored, in the order written. The same array until it changes. */
  entries(): readonly OutboxEntry[]
  subscribe(listener: () => void): () => void
  add(entry: OutboxEntry): Promise<void>
  retry(id: string): Promise<void>
  discard(id: string): Promise<void>
  /** Sends what waits, now: there is a connection again, or somebody wants to see it go. */
  wake(): void
  close(): void
}

type OutboxParts = {
  memberId: string
  store: OutboxStore
  send: (entry: OutboxEntry) => Promise<SendResult>
  onStored: (message: Message) => void
  onRefused: (reason: string) => void
  /** Runs the work while no other tab does. */
  exclusively: (work: () => Promise<void>) => Promise<void>
  /** Tells other tabs, and hears from them, that the stored entries changed. */
  neighbours: { tell(): void; listen(onChange: () => void): () => void }
}

/** One member's outbox in one tab. The store is the truth; the entries here are its latest image. */
export function createOutbox(parts: OutboxParts): Outbox {
  const { memberId, store, neighbours } = parts
  const listeners = new Set<() => void>()
  let entries: readonly OutboxEntry[] = []
  let isClosed = false
  let tries = 0
  let isDraining = false
  let wakeAgain = false
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  const stopListening = neighbours.listen(() => void refresh())

  function show(next: readonly OutboxEntry[]) {
    entries = next
    for (const listener of listeners) listener()
  }

  async function refresh() {
    const stored = await store.all(memberId)
    if (!isClosed) show(stored)
  }

  async function change(work: () => Promise<void>) {
    await work()
    await refresh()
    neighbours.tell()
  }

  function wake() {
    clearTimeout(retryTimer)
    wakeAgain = isDraining
    if (isClosed || isDraining) return
    isDraining = true
    parts
      .exclusively(drain)
      .catch((error: unknown) => console.error('The outbox stopped', error))
      .finally(() => {
        isDraining = false
        // Something was written while the last look found nothing more to send.
        if (wakeAgain) wake()
      })
  }

  async function drain() {
    const end = await drainOutbox({
      store,
      memberId,
      send: parts.send,
      onStored: (entry, message) => {
        tries = 0
        parts.onStored(message)
        show(entries.filter(({ id }) => id !== entry.id))
      },
      onRefused: parts.onRefused,
    })
    await refresh()
    neighbours.tell()
    if (end === 'unreachable' && !isClosed) retryLater()
  }

  function retryLater() {
    const delay = RETRY_DELAYS_MS[Math.min(tries++, RETRY_DELAYS_MS.length - 1)]
    retryTimer = setTimeout(wake, delay)
  }

  void refresh().then(wake)

  return {
    entries: () => entries,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async add(entry) {
      show([...entries, entry])
      await change(() => store.add(entry))
      wake()
    },
    async retry(id) {
      await change(() => store.setState(id, { step: 'waiting' }))
      wake()
    },
    discard: (id) => change(() => store.remove(id)),
    wake: () => {
      tries = 0
      wake()
    },
    close() {
      isClosed = true
      clearTimeout(retryTimer)
      stopListening()
    },
  }
}
