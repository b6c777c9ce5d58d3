// Several processes may share one Postgres. What a client sends to one is told to the others by notification; each says
// now and then that it is there. A process that is alone sends nothing but that.
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '#postgres/database.ts'
import type { BroadcastBody } from './messages.ts'
import { createAssembler, splitIntoParts } from './notification-parts.ts'
import type { SharedPresence } from './presence-board.ts'

const CHANNEL = 'realtime_cluster'
const ALIVE_EVERY_MS = 5_000
/** A process that was not heard this long is gone, and so are its clients. */
const GONE_AFTER_MS = 16_000

export type SharedBroadcast = { topicKey: string; userEvent: string; body: BroadcastBody }

type ClusterMessage =
  /** I am new, or lost the connection: this is whom I have; tell me who you are and whom you have. */
  | { kind: 'hello'; all: SharedPresence[] }
  | { kind: 'here' }
  | { kind: 'bye' }
  | { kind: 'presence'; change: SharedPresence }
  | { kind: 'everyone'; all: SharedPresence[] }
  | { kind: 'broadcast'; topicKey: string; userEvent: string; encoding: BroadcastBody['encoding'] }

export type ClusterEvents = {
  onBroadcast(broadcast: SharedBroadcast): void
  onPresence(owner: string, change: SharedPresence): void
  onEveryone(owner: string, all: SharedPresence[]): void
  ownPresence(): SharedPresence[]
}

export type Cluster = {
  processId: string
  shareBroadcast(broadcast: SharedBroadcast): void
  sharePresence(change: SharedPresence): void
  /** Joins the other processes. */
  start(events: ClusterEvents): Promise<void>
  close(): Promise<void>
}

export function createCluster(database: Database, log: Logger): Cluster {
  const processId = randomBytes(9).toString('base64url')
  const service = database.asService('realtime', 'processes talk to each other')
  const lastHeard = new Map<string, number>()
  const assemble = createAssembler()
  let events: ClusterEvents | null = null
  let stopListening = () => {}
  let timer: NodeJS.Timeout | undefined
  let number = 0
  let unsent: string[] = []
  let sending: Promise<void> | null = null

  function tell(message: ClusterMessage, body = '') {
    const text = JSON.stringify(message) + (body && '\n' + body)
    unsent.push(...splitIntoParts(processId, ++number, text))
    sending ??= send()
  }

  // One statement at a time keeps the order; what is told meanwhile goes with the next one.
  async function send() {
    while (unsent.length > 0) {
      const parts = unsent
      unsent = []
      try {
        await service.query({
          name: 'realtime_tell_cluster',
          // A notification is no data: nobody has to wait for the disk.
          text: `select set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', part) from unnest($1::text[]) part`,
          values: [parts],
        })
      } catch (error) {
        log.warn({ err: error }, 'could not reach the other realtime processes')
      }
    }
    sending = null
  }

  function onNotify(notification: string) {
    const assembled = assemble(notification)
    if (!assembled || assembled.sender === processId || !events) return
    const newline = assembled.text.indexOf('\n')
    const headerEnd = newline < 0 ? assembled.text.length : newline
    const message = JSON.parse(assembled.text.slice(0, headerEnd)) as ClusterMessage
    handle(assembled.sender, message, assembled.text.slice(headerEnd + 1), events)
  }

  function handle(sender: string, message: ClusterMessage, body: string, to: ClusterEvents) {
    const isKnown = lastHeard.has(sender)
    if (message.kind === 'bye') {
      forget(sender)
      return
    }
    lastHeard.set(sender, performance.now())
    if (!isKnown && message.kind !== 'hello' && message.kind !== 'everyone') sayHello()
    switch (message.kind) {
      case 'hello':
        to.onEveryone(sender, message.all)
        tell({ kind: 'everyone', all: to.ownPresence() })
        break
      case 'everyone':
        to.onEveryone(sender, message.all)
        break
      case 'presence':
        to.onPresence(sender, message.change)
        break
      case 'broadcast':
        to.onBroadcast({ ...message, body: bodyFrom(message.encoding, body) })
    }
  }

  function sayHello() {
    tell({ kind: 'hello', all: events?.ownPresence() ?? [] })
  }

  function forget(sender: string) {
    lastHeard.delete(sender)
    events?.onEveryone(sender, [])
  }

  function everyFewSeconds() {
    for (const [sender, at] of lastHeard) if (performance.now() - at > GONE_AFTER_MS) forget(sender)
    tell({ kind: 'here' })
  }

  return {
    processId,
    shareBroadcast({ topicKey, userEvent, body }) {
      if (lastHeard.size === 0) return
      const text = body.encoding === 'json' ? body.text : body.bytes.toString('base64')
      tell({ kind: 'broadcast', topicKey, userEvent, encoding: body.encoding }, text)
    },
    sharePresence(change) {
      if (lastHeard.size > 0) tell({ kind: 'presence', change })
    },
    async start(to) {
      events = to
      stopListening = await database.listener.listen(CHANNEL, onNotify, sayHello)
      sayHello()
      timer = setInterval(everyFewSeconds, ALIVE_EVERY_MS)
    },
    async close() {
      clearInterval(timer)
      stopListening()
      if (lastHeard.size > 0) tell({ kind: 'bye' })
      await sending
    },
  }
}

function bodyFrom(encoding: BroadcastBody['encoding'], body: string): BroadcastBody {
  return encoding === 'json'
    ? { encoding, text: body }
    : { encoding, bytes: Buffer.from(body, 'base64') }
}
