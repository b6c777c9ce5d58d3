// What an export is to have: criteria as typed, and as conditions on records.
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError } from '../../backup/archive/errors.ts'

export const FORMATS = ['eml', 'jsonl', 'csv'] as const
export type Format = (typeof FORMATS)[number]

/** Null: whatever it is. */
export type Criteria = {
  /** The first and the last day, in UTC. */
  from: string | null
  to: string | null
  /** Who wrote or did it, or whom it is about. */
  member: { email: string; ids: string[] } | null
  chat: string | null
  words: string | null
}

const DAY = /^\d{4}-\d\d-\d\d$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type TypedCriteria = {
  from?: string
  to?: string
  member?: string
  chat?: string
  words?: string
}

/** @throws BackupError for what cannot be meant */
export async function readCriteria(client: GuardedClient, typed: TypedCriteria): Promise<Criteria> {
  const { from = null, to = null, member, chat = null, words = null } = typed
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== null && (!DAY.test(day) || Number.isNaN(Date.parse(day))))
      throw new BackupError(`--${name} takes a day, such as 2026-01-31.`)
  if (from && to && from > to) throw new BackupError('--from is after --to.')
  if (chat && !UUID.test(chat))
    throw new BackupError(
      '--chat takes the id of a chat: the address of the open chat ends with it.',
    )
  if (words !== null && words.trim() === '') throw new BackupError('--words has no words.')
  return {
    from,
    to,
    member: member ? { email: member, ids: await idsOf(client, member) } : null,
    chat: chat?.toLowerCase() ?? null,
    words,
  }
}

// Also those who left, and the earlier addresses of those who changed theirs.
async function idsOf(client: GuardedClient, email: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select distinct found.id::text from (
       select m.id from private.members m where lower(m.email) = lower($1)
       union all
       select r.member_id from archive.records r
       where r.kind in ('member.joined', 'member.changed', 'member.left') and r.chat_id is null
         and lower($1) in (
           lower(r.content ->> 'email'), lower(r.content -> 'before' ->> 'email'), lower(r.content -> 'after' ->> 'email')
         )
     ) found where found.id is not null order by 1`,
    [email],
  )
  if (rows.length === 0)
    throw new BackupError(`The archive knows nobody with the address ${email}.`)
  return rows.map(({ id }) => id)
}

export const isEverything = ({ from, to, member, chat, words }: Criteria): boolean =>
  !from && !to && !member && !chat && !words

/** The condition on `archive.records` as `r`, but for the words, and its values from `$1` on. */
export function conditionOf({ from, to, member, chat }: Criteria): {
  text: string
  values: unknown[]
} {
  const values: unknown[] = []
  const all = ['true']
  const add = (value: unknown, condition: (place: string) => string) => {
    if (value) all.push(condition(`$${values.push(value)}`))
  }
  add(from, (place) => `r.recorded_at >= ${place}::date::timestamp at time zone 'UTC'`)
  add(to, (place) => `r.recorded_at < (${place}::date + 1)::timestamp at time zone 'UTC'`)
  add(
    member?.ids,
    (place) => `(r.actor_id = any (${place}::uuid[]) or r.member_id = any (${place}::uuid[]))`,
  )
  add(chat, (place) => `r.chat_id = ${place}::uuid`)
  return { text: all.join(' and '), values }
}
