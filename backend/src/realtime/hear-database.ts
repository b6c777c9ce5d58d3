// Broadcast from the database: rows of realtime.messages, announced by the transaction that wrote them, to the topics of
// this process. Per topic they go out in the order they were committed.
import type { Logger } from 'pino'
import type { Database } from '#postgres/database.ts'
import { createCatchUp } from './catch-up.ts'
import { createRecentIds } from './recent-ids.ts'

const CHANNEL = 'realtime_messages'
/** `inserted_at` is when a transaction began; one that began this long before the connection broke is still looked for. */
const CATCH_UP_MS = 60_000
const CATCH_UP_PAGE = 5_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export type DatabaseMessage = {
  id: string
  topicName: string
  isPrivate: boolean
  event: string
  body: { encoding: 'json'; text: string } | { encoding: 'binary'; bytes: Buffer }
}

/** Announced, and here already unless it was too long for a notification. */
type Announced = {
  id: string
  topicName: string
  isForMany: boolean
  message: DatabaseMessage | null
}

/** Several topics when one broadcast is for each of them (`realtime.send_to_topics`). */
type Header = [id: string, topics: string | string[], event: string, isPrivate: boolean]
type Row = {
  id: string
  /** To the microsecond. */
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
  /** Whether anybody here has joined the topic; nothing is fetched for nobody. */
  isWanted(topicName: string, isPrivate: boolean): boolean
  onMessage(message: DatabaseMessage): void
}

/** Starts listening. @returns a function that stops it */
export async function hearDatabase({
  database,
  log,
  isWanted,
  onMessage,
}: Settings): Promise<() => void> {
  const service = database.asService('realtime', 'reads the messages it was told about')
  const recent = createRecentIds(CATCH_UP_MS * 2)
  /** Topics with a payload on its way: what comes after it waits for it. */
  const waiting = new Map<string, Announced[]>()
  let lastHeardAt = Date.now()

  function deliver(message: DatabaseMessage, isForMany: boolean) {
    const key = isForMany ? `${message.id} ${message.topicName}` : message.id
    if (recent.isNew(key)) onMessage(message)
  }

  function onNotify(notification: string) {
    lastHeardAt = Date.now()
    const newline = notification.indexOf('\n')
    const header = newline < 0 ? notification : notification.slice(0, newline)
    const [id, topics, event, isPrivate] = JSON.parse(header) as Header
    const isForMany = typeof topics !== 'string'
    const text = newline < 0 ? null : notification.slice(newline + 1)
    for (const topicName of isForMany ? topics : [topics]) {
      if (!isWanted(topicName, isPrivate)) continue
      const message: DatabaseMessage | null =
        text === null ? null : { id, topicName, isPrivate, event, body: { encoding: 'json', text } }
      const queue = waiting.get(`${isPrivate} ${topicName}`)
      if (queue) queue.push({ id, topicName, isForMany, message })
      else if (message) deliver(message, isForMany)
      else void fetchInOrder(`${isPrivate} ${topicName}`, { id, topicName, isForMany, message })
    }
  }

  async function fetchInOrder(queueKey: string, first: Announced) {
    const queue = [first]
    waiting.set(queueKey, queue)
    for (let next = queue.shift(); next; next = queue.shift()) {
      const message = next.message ?? (await fetchOne(next))
      if (message) deliver(message, next.isForMany)
    }
    waiting.delete(queueKey)
  }

  async function fetchOne({ id, topicName }: Announced): Promise<DatabaseMessage | null> {
    try {
      const { rows } = await service.query({
        name: 'realtime_message',
        text: `select ${COLUMNS} from realtime.messages where id = $1`,
        values: [id],
      })
      const row = rows[0] as Row | undefined
      return row ? fromRow(row, topicName) : null
    } catch (error) {
      log.error({ err: error, id }, 'a broadcast could not be read')
      return null
    }
  }

  // By pages, oldest first: a busy team says more in a minute than fits into one.
  async function readSince(sinceMs: number) {
    let last = { inserted_at: new Date(sinceMs).toISOString(), id: FIRST_ID }
    for (let length = CATCH_UP_PAGE; length === CATCH_UP_PAGE;) {
      const { rows } = await service.query({
        text: `select ${COLUMNS} from realtime.messages
          where (inserted_at, id) > ($1::timestamp, $2) and extension = 'broadcast' and event is not null
          order by inserted_at, id limit ${CATCH_UP_PAGE}`,
        values: [last.inserted_at, last.id],
      })
      ;(rows as Row[]).forEach(deliverRow)
      length = rows.length
      last = (rows.at(-1) as Row | undefined) ?? last
    }
  }

  function deliverRow(row: Row) {
    for (const topicName of row.topics ?? [row.topic]) {
      if (isWanted(topicName, row.private)) deliver(fromRow(row, topicName), row.topics !== null)
    }
  }

  const catchUp = createCatchUp(readSince, (error) =>
    log.error({ err: error }, 'could not read the broadcasts that were missed'),
  )
  const stop = await database.listener.listen(CHANNEL, onNotify, () =>
    catchUp.missedSince(lastHeardAt - CATCH_UP_MS),
  )
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
