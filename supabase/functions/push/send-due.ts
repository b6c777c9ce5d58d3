// Claims what is due and sends it, in batches, until nothing is left.
import type { Channel, ChannelName, Clock, Delivery, Outcome } from './delivery.ts'

/** The outbox in the database. */
export type PushStore = {
  claim(channels: ChannelName[], max: number, leaseSeconds: number): Promise<Delivery[]>
  settle(results: Settled[]): Promise<void>
}

export type Settled = { id: number; attempt: number } & Outcome

export type SendDueSettings = {
  store: PushStore
  channels: readonly Channel[]
  clock: Clock
  /** Concurrent requests to providers. */
  parallel?: number
  /** Timeout of one request to a provider. */
  timeoutMs?: number
  batch?: number
  /** Aborted: finishes the current batch and claims no more. */
  signal?: AbortSignal
}

/** The lease outlasts the slowest possible batch, so no other worker claims what is still being sent. */
const LEASE_MARGIN = 2

/** @returns the outcome of each delivery */
export async function sendDue(settings: SendDueSettings): Promise<Settled[]> {
  const { store, channels, batch = 40, parallel = 8, timeoutMs = 15_000, signal } = settings
  const names = channels.map(({ name }) => name)
  const leaseSeconds = Math.ceil((Math.ceil(batch / parallel) * timeoutMs * LEASE_MARGIN) / 1000)
  const all: Settled[] = []
  while (!signal?.aborted) {
    const deliveries = await store.claim(names, batch, leaseSeconds)
    const sent = await sendAll(deliveries, { ...settings, parallel, timeoutMs, leaseSeconds })
    all.push(...sent)
    if (deliveries.length < batch) break
  }
  return all
}

async function sendAll(
  deliveries: Delivery[],
  settings: SendDueSettings & { parallel: number; timeoutMs: number; leaseSeconds: number },
): Promise<Settled[]> {
  const { store, clock, parallel, timeoutMs, leaseSeconds } = settings
  const channels = new Map(settings.channels.map((channel) => [channel.name, channel]))
  const lastStart = clock.now() + leaseSeconds * 1000 - timeoutMs
  const waiting = [...deliveries]
  const settled: Settled[] = []

  async function work() {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id, attempt } = next
      const result = { id, attempt, ...(await sendOne(next)) }
      settled.push(result)
      // Settled one by one, so that a crash in mid-batch loses at most the deliveries in flight.
      await store.settle([result])
    }
  }
  async function sendOne(delivery: Delivery): Promise<Outcome> {
    const channel = channels.get(delivery.channel)
    if (!channel) return { outcome: 'failed', reason: 'channel is off' }
    if (clock.now() > lastStart) return { outcome: 'retry', reason: 'the batch took too long' }
    try {
      return await channel.send(delivery, AbortSignal.timeout(timeoutMs))
    } catch (error) {
      return { outcome: 'uncertain', reason: String(error).slice(0, 300) }
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, waiting.length) }, work))
  return settled
}
