// The canonical lines of docs/archive.md, computed without any function of the database.
import { createHash } from 'node:crypto'

/** Columns as text, as `READ_RECORDS` and `READ_SEALS` select them. */
export type RecordRow = {
  seq: string
  recorded_at: string
  kind: string
  actor_id: string | null
  actor_name: string | null
  actor_email: string | null
  actor_role: string
  chat_id: string | null
  subject_id: string | null
  member_id: string | null
  audience: string
  content: string
}

export type SealRow = {
  number: string
  sealed_at: string
  from_seq: string
  to_seq: string
  count: number
  absent: string
  open: string
  late: string[]
  closed: string
  records_hash: Buffer
  previous_hash: Buffer
  hash: Buffer
  /** Null once all records are pruned. */
  leaves: Buffer | null
}

const utc = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Of `archive.records r`. */
export const RECORD_COLUMNS = `
  r.seq::text, ${utc('r.recorded_at')} as recorded_at, r.kind, r.actor_id::text, r.actor_name, r.actor_email,
  r.actor_role, r.chat_id::text, r.subject_id::text, r.member_id::text, r.audience, r.content::text`

export const READ_RECORDS = `select ${RECORD_COLUMNS} from archive.records r order by r.seq`

/** Of `archive.seals s`. */
export const SEAL_COLUMNS = `
  s.number::text, ${utc('s.sealed_at')} as sealed_at, s.from_seq::text, s.to_seq::text, s.count,
  s.absent::text, s.open::text, s.late::text[], s.closed::text, s.records_hash, s.previous_hash, s.hash, s.leaves`

export const READ_SEALS = `select ${SEAL_COLUMNS} from archive.seals s order by s.number`

const FIELDS = [
  'kind',
  'actor_id',
  'actor_name',
  'actor_email',
  'actor_role',
  'chat_id',
  'subject_id',
  'member_id',
  'audience',
] as const

export function recordLine(record: RecordRow): string {
  const fields = FIELDS.map((field) => `,"${field}":${JSON.stringify(record[field])}`).join('')
  return `{"seq":${record.seq},"recorded_at":"${record.recorded_at}"${fields},"content":${record.content}}`
}

export function sealLine(seal: SealRow): string {
  return (
    `{"seal":${seal.number},"sealed_at":"${seal.sealed_at}","from_seq":${seal.from_seq},"to_seq":${seal.to_seq},` +
    `"count":${seal.count},"absent":"${seal.absent}","open":"${seal.open}","late":[${seal.late.join(',')}],` +
    `"closed":"${seal.closed}","records":"${seal.records_hash.toString('hex')}",` +
    `"previous":"${seal.previous_hash.toString('hex')}"}`
  )
}

export const sha256 = (bytes: string | Buffer): Buffer =>
  createHash('sha256').update(bytes).digest()
