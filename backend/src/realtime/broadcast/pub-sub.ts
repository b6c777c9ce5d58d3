// Several processes may share one Postgres: each publishes its clients' messages to the others with NOTIFY, and a regular
// heartbeat. A process that knows of no others sends only the heartbeat.
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '#postgres/database.ts'
import type { BroadcastBody } from '#realtime/protocol/messages.ts'
import { createAssembler, splitIntoChunks } from './notification-chunks.ts'
import type { SharedPresence } from '#realtime/presence/presence-tracker.ts'

const CHANNEL = 'realtime_cluster'
const HEARTBEAT_MS = 5_000
/** A process silent for this long is considered gone, with its clients. */
const PEER_TIMEOUT_MS = 16_000

export type SharedBroadcast = { topicKey: string; userEvent: string; body: BroadcastBody }

type PubSubMessage =
  /** From a new or reconnected process, with its presence; the others respond with `everyone`. */
  | { kind: 'hello'; all: SharedPresence[] }
  | { kind: 'here' }
  | { kind: 'bye' }
  | { kind: 'presence'; change: SharedPresence }
  | { kind: 'everyone'; all: SharedPresence[] }
  | { kind: 'broadcast'; topicKey: string; userEvent: string; encoding: BroadcastBody['encoding'] }

export type PubSubHandlers = {
  onBroadcast(broadcast: SharedBroadcast): void
  onPresence(owner: string, change: SharedPresence): void
  onPresenceSnapshot(owner: string, all: SharedPresence[]): void
  localPresence(): SharedPresence[]
}

export type PubSub = {
  processId: string
  publishBroadcast(broadcast: SharedBroadcast): void
  publishPresence(change: SharedPresence): void
  /** Joins the other processes. */
  start(events: PubSubHandlers): Promise<void>
  close(): Promise<void>
}

export function createPubSub(database: Database, log: Logger): PubSub {
  const processId = randomBytes(9).toString('base64url')
  const service = database.asService('realtime', 'publishes to other processes')
  const lastSeen = new Map<string, number>()
  const assemble = createAssembler()
  let events: PubSubHandlers | null = null
  let stopListening = () => {}
  let timer: NodeJS.Timeout | undefined
  let number = 0
  let queue: string[] = []
  let draining: Promise<void> | null = null

  function publish(message: PubSubMessage, body = '') {
    const text = JSON.stringify(message) + (body && '\n' + body)
    queue.push(...splitIntoChunks(processId, ++number, text))
    draining ??= drain()
  }

  // One statement at a time keeps the order; what is published meanwhile goes into the next one.
  async function drain() {
    while (queue.length > 0) {
      const chunks = queue
      queue = []
      try {
        await service.query({
          name: 'realtime_publish',
          // A notification is not durable, so there is no need to wait for the disk.
          text: `select set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', chunk) from unnest($1::text[]) chunk`,
          values: [chunks],
        })
      } catch (error) {
        log.warn({ err: error }, 'could not publish to the other realtime processes')
      }
    }
    draining = null
  }

  function onNotify(notification: string) {
    const assembled = assemble(notification)
    if (!assembled || assembled.sender === processId || !events) return
    const newline = assembled.text.indexOf('\n')
    const headerEnd = newline < 0 ? assembled.text.length : newline
    const message = JSON.parse(assembled.text.slice(0, headerEnd)) as PubSubMessage
    handle(assembled.sender, message, assembled.text.slice(headerEnd + 1), events)
  }

  function handle(sender: string, message: PubSubMessage, body: string, to: PubSubHandlers) {
    const isKnown = lastSeen.has(sender)
    if (message.kind === 'bye') {
      removeProcess(sender)
      return
    }
    lastSeen.set(sender, performance.now())
    if (!isKnown && message.kind !== 'hello' && message.kind !== 'everyone') publishHello()
    switch (message.kind) {
      case 'hello':
        to.onPresenceSnapshot(sender, message.all)
        publish({ kind: 'everyone', all: to.localPresence() })
        break
      case 'everyone':
        to.onPresenceSnapshot(sender, message.all)
        break
      case 'presence':
        to.onPresence(sender, message.change)
        break
      case 'broadcast':
        to.onBroadcast({ ...message, body: bodyFrom(message.encoding, body) })
    }
  }

  function publishHello() {
    publish({ kind: 'hello', all: events?.localPresence() ?? [] })
  }

  function removeProcess(sender: string) {
    lastSeen.delete(sender)
    events?.onPresenceSnapshot(sender, [])
  }

  function heartbeat() {
    for (const [sender, at] of lastSeen)
      if (performance.now() - at > PEER_TIMEOUT_MS) removeProcess(sender)
    publish({ kind: 'here' })
  }

  return {
    processId,
    publishBroadcast({ topicKey, userEvent, body }) {
      if (lastSeen.size === 0) return
      const text = body.encoding === 'json' ? body.text : body.bytes.toString('base64')
      publish({ kind: 'broadcast', topicKey, userEvent, encoding: body.encoding }, text)
    },
    publishPresence(change) {
      if (lastSeen.size > 0) publish({ kind: 'presence', change })
    },
    async start(to) {
      events = to
      stopListening = await database.listener.listen(CHANNEL, onNotify, publishHello)
      publishHello()
      timer = setInterval(heartbeat, HEARTBEAT_MS)
    },
    async close() {
      clearInterval(timer)
      stopListening()
      if (lastSeen.size > 0) publish({ kind: 'bye' })
      await draining
    },
  }
}

function bodyFrom(encoding: BroadcastBody['encoding'], body: string): BroadcastBody {
  return encoding === 'json'
    ? { encoding, text: body }
    : { encoding, bytes: Buffer.from(body, 'base64') }
}
