// A member reading with the official client: subscribes, and after every (re)join reads what it may have missed.
import { REALTIME_SUBSCRIBE_STATES, RealtimeClient } from '@supabase/supabase-js'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { readMessages, type OurArena } from './chat-soak-server.ts'

/** Timestamps are set before the commit, so a gap is read from a little before the last known message. */
const OVERLAP_MS = 15_000

type Message = { id: string; sent_at: string }

export type Reader = {
  /** Ids in thread order. */
  shown(): string[]
  /** How many arrived live before they were read. */
  live(): number
  cut(): void
  close(): void
}

export async function openReader(arena: OurArena, seat: number): Promise<Reader> {
  const messages = new Map<string, Message>()
  let heardLive = 0
  let newest = 0
  const sockets: WebSocket[] = []

  class RememberedSocket extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols)
      sockets.push(this)
    }
  }

  function take(message: Message) {
    messages.set(message.id, message)
    newest = Math.max(newest, Date.parse(message.sent_at))
  }

  async function readGap() {
    const since = newest > 0 ? new Date(newest - OVERLAP_MS).toISOString() : null
    for (;;) {
      try {
        for (const message of await readMessages(arena, seat, since)) take(message)
        return
      } catch {
        await wait(200)
      }
    }
  }

  const client = new RealtimeClient(`${arena.url.replace('http', 'ws')}/realtime/v1`, {
    params: { apikey: arena.key },
    transport: RememberedSocket as never,
  })
  await client.setAuth(arena.seats[seat]?.token ?? '')
  const channel = client.channel(`chat:${arena.chatId}`, { config: { private: true } })
  channel.on('broadcast', { event: 'message_inserted' }, ({ payload }) => {
    const message = payload as Message
    if (!messages.has(message.id)) heardLive++
    take(message)
  })
  await new Promise<void>((resolve) => {
    channel.subscribe((status) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) void readGap().then(resolve)
    })
  })
  return {
    shown: () =>
      [...messages.values()]
        .toSorted((one, other) => compare(one.sent_at, other.sent_at) || compare(one.id, other.id))
        .map(({ id }) => id),
    live: () => heardLive,
    cut: () => sockets.at(-1)?.terminate(),
    close: () => void client.disconnect(),
  }
}

// Timestamps are strings with microseconds, trailing zeros omitted.
function compare(one: string, other: string): number {
  const [first, second] = [one, other].map((text) =>
    text.replace(/(\+00:00|Z)$/, '').padEnd(26, '0'),
  )
  return (first ?? '') < (second ?? '') ? -1 : first === second ? 0 : 1
}
