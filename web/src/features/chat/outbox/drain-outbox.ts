import type { Message } from '#features/chat/chat-types.ts'
import type { OutboxEntry } from './outbox-entry.ts'
import type { OutboxStore } from './outbox-store.ts'

export type SendResult =
  | { kind: 'stored'; message: Message }
  /** `reason`: what its writer is told. */
  | { kind: 'refused'; reason: string }
  | { kind: 'unreachable' }

type Drain = {
  store: OutboxStore
  memberId: string
  send: (entry: OutboxEntry) => Promise<SendResult>
  onStored: (entry: OutboxEntry, message: Message) => void
  onRefused: (reason: string) => void
}

/**
 * Sends what waits, one after the other in the order written: two at a time could be stored in the
 * wrong order. A refused message steps aside for the next; without a connection everything waits.
 */
export async function drainOutbox(drain: Drain): Promise<'empty' | 'unreachable'> {
  for (;;) {
    const entry = await nextWaiting(drain)
    if (!entry) return 'empty'
    const result = await drain.send(entry)
    if (result.kind === 'unreachable') return 'unreachable'
    await settle(drain, entry, result)
  }
}

async function nextWaiting({ store, memberId }: Drain): Promise<OutboxEntry | undefined> {
  return (await store.all(memberId)).find(({ state }) => state.step === 'waiting')
}

async function settle(
  { store, onStored, onRefused }: Drain,
  entry: OutboxEntry,
  result: Exclude<SendResult, { kind: 'unreachable' }>,
): Promise<void> {
  if (result.kind === 'stored') {
    // Shown first, forgotten second: a crash in between sends again, and the id prevents a twin.
    onStored(entry, result.message)
    await store.remove(entry.id)
    return
  }
  await store.setState(entry.id, { step: 'failed', reason: result.reason })
  onRefused(result.reason)
}
