// Broadcast from the database: rows of realtime.messages, published with NOTIFY by the transaction that wrote them.
// Messages of one topic are delivered in commit order.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '#postgres/database.ts'
import { createCatchUp } from './catch-up.ts'
import type { DurableOrder } from './durable-order.ts'
import { createRecentIds } from './recent-ids.ts'

const CHANNEL = 'realtime_messages'
/** `inserted_at` is when the transaction began, so catch-up starts this long before the connection was lost. */
const CATCH_UP_MS = 60_000
const CATCH_UP_PAGE = 5_000
/** If our own notification takes longer than this, the connection counts as lost. */
const BARRIER_TIMEOUT_MS = 10_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export type DatabaseMessage = {
  id: string
  topicName: string
  isPrivate: boolean
  event: string
  body: { encoding: 'json'; text: string } | { encoding: 'binary'; bytes: Buffer }
}

/** `message` is null when it was too long for a notification and has to be fetched. */
type Announcement = {
  id: string
  topicName: string
  isPrivate: boolean
  hasManyTopics: boolean
  message: DatabaseMessage | null
}

/** Several topics when sent by `realtime.send_to_topics`. */
type Header = [
  id: string,
  topics: string | string[],
  event: string,
  isPrivate: boolean,
  isDurable: boolean,
]
type Row = {
  id: string
  /** With microseconds. */
  inserted_at: string
  topic: string
  topics: string[] | null
  event: string
  private: boolean
  payload: string | null
  binary_payload: Buffer | null
}

const COLUMNS = `id, inserted_at::text, topic, topics, event, coalesce(private, false) as private, payload::text as payload, binary_payload`

type Settings = {
  database: Database
  log: Logger
  inOrder: DurableOrder
  /** Whether the topic has subscribers in this process; other messages are not fetched. */
  hasSubscribers(topicName: string, isPrivate: boolean): boolean
  onMessage(message: DatabaseMessage): void
}

/** @returns a function that unsubscribes */
export async function subscribeToDatabase({
  database,
  log,
  inOrder,
  hasSubscribers,
  onMessage,
}: Settings): Promise<() => void> {
  const service = database.asService('realtime', 'reads published messages')
  const recent = createRecentIds(CATCH_UP_MS * 2)
  /** Messages queued behind one that is being fetched, by topic. */
  const queues = new Map<string, Announcement[]>()
  let lastReceivedAt = Date.now()
  const barriers = new Map<string, () => void>()

  function deliver(message: DatabaseMessage, hasManyTopics: boolean) {
    const key = hasManyTopics ? `${message.id} ${message.topicName}` : message.id
    if (recent.isNew(key)) onMessage(message)
  }

  function onNotify(notification: string) {
    lastReceivedAt = Date.now()
    const passBarrier = barriers.get(notification)
    if (passBarrier) return inOrder({ isDurable: true, run: passBarrier })
    if (!notification.startsWith('[')) return
    const newline = notification.indexOf('\n')
    const header = newline < 0 ? notification : notification.slice(0, newline)
    const [id, topics, event, isPrivate, isDurable] = JSON.parse(header) as Header
    const hasManyTopics = typeof topics !== 'string'
    const text = newline < 0 ? null : notification.slice(newline + 1)
    const announced: Announcement[] = []
    for (const topicName of hasManyTopics ? topics : [topics]) {
      if (!hasSubscribers(topicName, isPrivate)) continue
      const message: DatabaseMessage | null =
        text === null ? null : { id, topicName, isPrivate, event, body: { encoding: 'json', text } }
      announced.push({ id, topicName, isPrivate, hasManyTopics, message })
    }
    if (announced.length > 0)
      inOrder({ isDurable, run: () => announced.forEach(publish), onLost: readRecent })
  }

  function publish(announcement: Announcement) {
    const { topicName, isPrivate, hasManyTopics, message } = announcement
    const key = `${isPrivate} ${topicName}`
    const queue = queues.get(key)
    if (queue) queue.push(announcement)
    else if (message) deliver(message, hasManyTopics)
    else void fetchInOrder(key, announcement)
  }

  async function fetchInOrder(queueKey: string, first: Announcement) {
    const queue = [first]
    queues.set(queueKey, queue)
    for (let next = queue.shift(); next; next = queue.shift()) {
      const message = next.message ?? (await fetchOne(next))
      if (message) deliver(message, next.hasManyTopics)
    }
    queues.delete(queueKey)
  }

  async function fetchOne({ id, topicName }: Announcement): Promise<DatabaseMessage | null> {
    try {
      const { rows } = await service.query({
        name: 'realtime_message',
        text: `select ${COLUMNS} from realtime.messages where id = $1`,
        values: [id],
      })
      const row = rows[0] as Row | undefined
      return row ? fromRow(row, topicName) : null
    } catch (error) {
      log.error({ err: error, id }, 'could not read a broadcast')
      return null
    }
  }

  // Catch-up reads committed messages before their notifications arrive, so a recheck that precedes them may not have
  // arrived either. Our own notification arrives after everything committed before it, including all rechecks, and what was
  // read is on disk by then: it waits for the disk.
  async function waitForBarrier() {
    const barrier = `barrier ${randomUUID()}`
    let timer: NodeJS.Timeout | undefined
    const passed = new Promise<void>((resolve, reject) => {
      barriers.set(barrier, resolve)
      timer = setTimeout(
        () => reject(new Error('the barrier notification did not arrive in time')),
        BARRIER_TIMEOUT_MS,
      )
    })
    try {
      const notify = {
        text: `select pg_notify($1, $2), pg_logical_emit_message(true, 'flush', '')`,
        values: [CHANNEL, barrier],
      }
      await Promise.all([passed, service.query(notify)])
    } finally {
      clearTimeout(timer)
      barriers.delete(barrier)
    }
  }

  // In pages, oldest first: a busy team sends more in a minute than fits into one.
  async function readSince(sinceMs: number) {
    let last = { inserted_at: new Date(sinceMs).toISOString(), id: FIRST_ID }
    for (let length = CATCH_UP_PAGE; length === CATCH_UP_PAGE;) {
      const { rows } = await service.query({
        text: `select ${COLUMNS} from realtime.messages
          where (inserted_at, id) > ($1::timestamp, $2) and extension = 'broadcast' and event is not null
          order by inserted_at, id limit ${CATCH_UP_PAGE}`,
        values: [last.inserted_at, last.id],
      })
      await waitForBarrier()
      ;(rows as Row[]).forEach(deliverRow)
      length = rows.length
      last = (rows.at(-1) as Row | undefined) ?? last
    }
  }

  function deliverRow(row: Row) {
    for (const topicName of row.topics ?? [row.topic]) {
      if (hasSubscribers(topicName, row.private))
        deliver(fromRow(row, topicName), row.topics !== null)
    }
  }

  const catchUp = createCatchUp(readSince, (error) =>
    log.error({ err: error }, 'could not read missed broadcasts'),
  )
  const readRecent = () => catchUp.missedSince(lastReceivedAt - CATCH_UP_MS)
  const stop = await database.listener.listen(CHANNEL, onNotify, readRecent)
  return () => {
    stop()
    catchUp.stop()
  }
}

function fromRow(row: Row, topicName: string): DatabaseMessage {
  return {
    id: row.id,
    topicName,
    isPrivate: row.private,
    event: row.event,
    body: row.binary_payload
      ? { encoding: 'binary', bytes: row.binary_payload }
      : { encoding: 'json', text: row.payload ?? '{}' },
  }
}
