import type { Message } from '#features/chat/model/chat-types.ts'
import type { OutboxEntry } from './outbox-entry.ts'
import type { OutboxStore } from './outbox-store.ts'

export type SendResult =
  | { kind: 'stored'; message: Message }
  /** `reason`: shown to its author. */
  | { kind: 'refused'; reason: string }
  | { kind: 'unreachable' }
  /** Its author canceled it while it was uploaded. */
  | { kind: 'canceled' }

type Drain = {
  store: OutboxStore
  memberId: string
  send: (entry: OutboxEntry) => Promise<SendResult>
  onStored: (entry: OutboxEntry, message: Message) => void
  onRefused: (reason: string) => void
}

/**
 * Sends waiting messages one after the other in the order written: two at a time could be stored in the
 * wrong order. A refused message lets the next one pass; offline, everything waits.
 */
export async function drainOutbox(drain: Drain): Promise<'empty' | 'unreachable'> {
  for (;;) {
    const entry = await nextWaiting(drain)
    if (!entry) return 'empty'
    const result = await drain.send(entry)
    if (result.kind === 'unreachable') return 'unreachable'
    if (result.kind !== 'canceled') await settle(drain, entry, result)
  }
}

async function nextWaiting({ store, memberId }: Drain): Promise<OutboxEntry | undefined> {
  return (await store.all(memberId)).find(({ state }) => state.step === 'waiting')
}

async function settle(
  { store, onStored, onRefused }: Drain,
  entry: OutboxEntry,
  result: Extract<SendResult, { kind: 'stored' | 'refused' }>,
): Promise<void> {
  if (result.kind === 'stored') {
    // Show it first, remove it second: a crash in between sends it again, and its id prevents a duplicate.
    onStored(entry, result.message)
    await store.remove(entry.id)
    return
  }
  await store.setState(entry.id, { step: 'failed', reason: result.reason })
  onRefused(result.reason)
}
