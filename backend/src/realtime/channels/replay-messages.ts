import type { Database } from '#postgres/database.ts'
import type { BroadcastMessage } from '#realtime/protocol/messages.ts'

type Row = { id: string; event: string; payload: string | null; binary_payload: Buffer | null }

/** The latest broadcasts on a private topic since a time, oldest first, marked as replayed. */
export async function loadReplay(
  database: Database,
  { topic, name }: { topic: string; name: string },
  { sinceMs, limit }: { sinceMs: number; limit: number },
): Promise<BroadcastMessage[]> {
  const { rows } = await database
    .asService('realtime', 'the caller was authorized to read the topic')
    .query({
      name: 'realtime_replay',
      text: `select id, event, payload::text as payload, binary_payload from realtime.messages
        where topic = $1 and private and extension = 'broadcast' and event is not null
          and inserted_at >= $2::timestamptz at time zone 'utc'
        order by inserted_at desc limit $3`,
      values: [name, new Date(sinceMs).toISOString(), limit],
    })
  return (rows as Row[]).reverse().map((row) => ({
    topic,
    ref: null,
    joinRef: null,
    event: 'broadcast',
    userEvent: row.event,
    meta: { id: row.id, replayed: true },
    body: row.binary_payload
      ? { encoding: 'binary', bytes: row.binary_payload }
      : { encoding: 'json', text: row.payload ?? '{}' },
  }))
}
