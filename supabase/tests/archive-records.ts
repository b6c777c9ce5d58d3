// What the tests of the archive do, and what they read from it.
import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { call, type Person, type Team } from './team.ts'

/** A group chat with a first message; it takes two others. */
export async function aGroup(creator: Person, others: Person[], name = 'Closers'): Promise<string> {
  const { data, error } = await call<string>(creator, 'create_chat', {
    member_ids: others.map(({ id }) => id),
    name,
    first_message: 'Welcome',
  })
  if (error) throw error
  return data ?? ''
}

/** Sends a message as the member does; returns its id. */
export async function send(person: Person, message: string, chatId: string): Promise<string> {
  const id = randomUUID()
  await person.client
    .from('chat_messages')
    .insert({ id, chat_id: chatId, sender_id: person.id, message })
    .throwOnError()
  return id
}

const A_TEXT = { ending: 'txt', type: 'text/plain', bytes: Buffer.from('Prices') }

/** Sends a file of this name without a word, without `file` a text file; returns the message's id. */
export async function sendFile(
  person: Person,
  name: string,
  chatId: string,
  file = A_TEXT,
): Promise<string> {
  const id = randomUUID()
  const path = `${chatId}/${id}.${file.ending}`
  const files = person.client.storage.from('chat-images')
  const { error } = await files.upload(path, file.bytes, { contentType: file.type })
  if (error) throw error
  await person.client
    .from('chat_messages')
    .insert({
      id,
      chat_id: chatId,
      sender_id: person.id,
      message: '',
      attachment: { kind: 'file', path, name },
    })
    .throwOnError()
  return id
}

type Sql = (text: string) => Promise<Record<string, unknown>[]>

/** Runs what is recorded in it, sealed, as if it had happened years ago; the superuser alone can do that. */
export async function yearsAgo<Result>(
  sql: Sql,
  seal: () => Promise<unknown>,
  years: number,
  action: () => PromiseLike<Result>,
): Promise<Result> {
  await seal()
  const [addSeal] = await sql("select pg_get_functiondef('archive.add_seal'::regproc) as text")
  const text = String(addSeal?.text)
  const back = `clock_timestamp() - interval '${years} years'`
  await sql(`alter table archive.records alter recorded_at set default ${back}`)
  await sql(text.replaceAll('clock_timestamp()', back))
  try {
    const result = await action()
    await seal()
    return result
  } finally {
    await sql('alter table archive.records alter recorded_at set default clock_timestamp()')
    await sql(text)
  }
}

export type ArchiveRecord = {
  seq: number
  kind: string
  actor_id: string | null
  actor_name: string | null
  actor_email: string | null
  actor_role: string
  chat_id: string | null
  subject_id: string | null
  member_id: string | null
  audience: string
  content: Record<string, unknown>
}

/** The number of the last record, to read what comes after it. */
export async function lastRecord({ sql }: Team): Promise<number> {
  const [row] = await sql<{ seq: number }>(
    'select coalesce(max(seq), 0)::int as seq from archive.records',
  )
  return row?.seq ?? 0
}

/** What an action adds to the archive, in order; without the copies of the audit log. */
export async function recordedBy(
  team: Team,
  action: () => PromiseLike<unknown>,
): Promise<ArchiveRecord[]> {
  const before = await lastRecord(team)
  await action()
  return team.sql<ArchiveRecord>(
    `select r.*, r.seq::int as seq from archive.records r
     where r.seq > $1 and r.kind not like 'audit%' order by r.seq`,
    [before],
  )
}

/** What is archived about a message, notice or hold, or in a chat; without the copies of the audit log. */
export async function recordsOf({ sql }: Team, id: string): Promise<ArchiveRecord[]> {
  return sql<ArchiveRecord>(
    `select r.*, r.seq::int as seq from archive.records r
     where $1 in (r.subject_id, r.chat_id) and r.kind not like 'audit%' order by r.seq`,
    [id],
  )
}

/**
 * Seals what is recorded until now. A transaction that writes delays it, also one of another file in another database of
 * the cluster; the pauses leave that one the processor.
 */
export async function sealAll({ sql }: Team): Promise<void> {
  const [newest] = await sql<{ seq: string | null }>('select max(seq) as seq from archive.records')
  const seal = async () => {
    await sql('select public.seal_archive()')
    // A mark from before, which such a transaction delayed, may end before the newest record.
    const [last] = await sql<{ covers: boolean }>(
      'select coalesce((archive.last_seal()).to_seq, 0) >= coalesce($1::bigint, 0) as covers',
      [newest?.seq ?? null],
    )
    return last?.covers === true
  }
  await vi.waitUntil(seal, { timeout: 60_000, interval: 20 })
}
