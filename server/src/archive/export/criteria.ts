// What an export is to have: criteria as typed or as searched, and as conditions on records.
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError } from '../../backup/archive/errors.ts'

export const FORMATS = ['eml', 'jsonl', 'csv'] as const
export type Format = (typeof FORMATS)[number]

/** Null: whatever it is. */
export type Criteria = {
  /** Days, both in the export, or times, the last one not; in UTC. */
  from: string | null
  to: string | null
  /** Who wrote or did it, or whom it is about. */
  members: { called: string; ids: string[] } | null
  chats: { called: string; ids: string[] } | null
  /** As `message.removed`, or the word before the dot. */
  kind: string | null
  words: string | null
  /** The number of the recorded search that the others come from: only what supervisors search is in it. */
  search: string | null
}

const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z$/
const KIND = /^[a-z_]+(\.[a-z_]+)?$/
const NUMBER = /^\d{1,15}$/
/** Invalid parameter value: the archive refuses a name that is too common. */
const REFUSED = '22023'

export type TypedCriteria = {
  from?: string
  to?: string
  member?: string
  chat?: string
  kind?: string
  words?: string
  search?: string
}

/**
 * @returns with the reason of the search, if they are those of one
 * @throws BackupError for what cannot be meant
 */
export async function readCriteria(
  client: GuardedClient,
  { search, ...typed }: TypedCriteria,
): Promise<{ criteria: Criteria; reason: string | null }> {
  if (search === undefined) return { criteria: await typedCriteria(client, typed), reason: null }
  if (Object.keys(typed).length > 0)
    throw new BackupError('--search has its criteria already: leave out the others.')
  return searchedCriteria(client, search)
}

async function typedCriteria(
  client: GuardedClient,
  typed: Omit<TypedCriteria, 'search'>,
): Promise<Criteria> {
  const { from = null, to = null, member, chat, kind = null, words = null } = typed
  for (const [name, value] of Object.entries({ from, to }))
    if (value !== null && !isTime(value))
      throw new BackupError(
        `--${name} takes a day, such as 2026-01-31, or a time in UTC, such as 2026-01-31T14:30Z.`,
      )
  if (from && to && Date.parse(startOf(from)) >= Date.parse(endOf(to)))
    throw new BackupError('--from is after --to.')
  if (kind !== null && !KIND.test(kind))
    throw new BackupError('--kind takes a kind of record, such as message or message.removed.')
  if (kind !== null && !(await hasKind(client, kind)))
    throw new BackupError(`The archive has no record of the kind ${kind}.`)
  if (words !== null && words.trim() === '') throw new BackupError('--words has no words.')
  const members = member?.includes('@')
    ? { called: member, ids: await idsOfAddress(client, member) }
    : await called(client, 'people', member)
  const chats = await called(client, 'chats', chat)
  if (members?.ids.length === 0) throw new BackupError(`The archive knows nobody called ${member}.`)
  if (chats?.ids.length === 0)
    throw new BackupError(`The archive knows no chat that was called ${chat}.`)
  return { from, to, members, chats, kind, words, search: null }
}

async function hasKind(client: GuardedClient, kind: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from archive.records r where $1 in (r.kind, split_part(r.kind, '.', 1)) limit 1`,
    [kind],
  )
  return Boolean(rowCount)
}

type RecordedSearch = {
  reason: string
  words: string | null
  kind: string | null
  person: string | null
  people: string[] | null
  chat: string | null
  chats: string[] | null
  from: string | null
  to: string | null
}

// As `archive.search` takes them. Searches have the ids of people and chats since they are recorded with them.
const READ_SEARCH = `
  select r.content ->> 'reason' as reason, c ->> 'from' as from, c ->> 'to' as to, c -> 'people' as people, c -> 'chats' as chats,
    case when not private.is_blank(c ->> 'words') then c ->> 'words' end as words,
    case when not private.is_blank(c ->> 'kind') then c ->> 'kind' end as kind,
    case when not private.is_blank(c ->> 'person') then c ->> 'person' end as person,
    case when not private.is_blank(c ->> 'chat') then c ->> 'chat' end as chat
  from archive.records r cross join lateral (select r.content -> 'criteria') criteria (c)
  where r.seq = $1 and r.kind in ('search.made', 'export.page')`

async function searchedCriteria(client: GuardedClient, search: string) {
  const number = NUMBER.test(search) ? String(Number(search)) : '0'
  const { rows } = await client.query<RecordedSearch>(READ_SEARCH, [number])
  if (!rows[0])
    throw new BackupError(
      `No search has the number ${search}. The number is in the command above what a search found.`,
    )
  const { reason, words, kind, person, people, chat, chats, from, to } = rows[0]
  return {
    criteria: {
      from,
      to,
      members:
        person && people ? { called: person, ids: people } : await called(client, 'people', person),
      chats: chat && chats ? { called: chat, ids: chats } : await called(client, 'chats', chat),
      kind: kind?.replaceAll(/[^a-z._]/g, '') ?? null,
      words,
      search: number,
    },
    reason,
  }
}

async function called(
  client: GuardedClient,
  whom: 'people' | 'chats',
  name: string | null | undefined,
): Promise<Criteria['members']> {
  if (!name) return null
  try {
    const { rows } = await client.query<{ ids: string[] }>(
      `select array(select unnest(archive.${whom}_called($1)) order by 1)::text[] as ids`,
      [name],
    )
    return { called: name, ids: rows[0]?.ids ?? [] }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code !== REFUSED) throw error
    throw new BackupError(`${message}: ${name.replaceAll(/\p{C}/gu, '')}.`, { cause: error })
  }
}

// Also those who left, and the earlier addresses of those who changed theirs.
async function idsOfAddress(client: GuardedClient, email: string): Promise<string[]> {
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
  return rows.map(({ id }) => id)
}

export const isEverything = (criteria: Criteria): boolean =>
  Object.values(criteria).every((each) => each === null)

/** The condition on `archive.records` as `r`, and its values from `$1` on. */
export function conditionOf(criteria: Criteria): { text: string; values: unknown[] } {
  const { from, to, members, chats, kind, words, search } = criteria
  const values: unknown[] = []
  const all = [search === null ? 'true' : 'archive.is_searched(r.kind)']
  const add = (value: unknown, condition: (place: string) => string) => {
    if (value !== null && value !== undefined) all.push(condition(`$${values.push(value)}`))
  }
  // What was said after the search was not found by it.
  add(search, (place) => `r.seq < ${place}::bigint`)
  add(from && startOf(from), (place) => `r.recorded_at >= ${place}::timestamptz`)
  add(to && endOf(to), (place) => `r.recorded_at < ${place}::timestamptz`)
  add(
    members?.ids,
    (place) => `(r.actor_id = any (${place}::uuid[]) or r.member_id = any (${place}::uuid[]))`,
  )
  add(chats?.ids, (place) => `r.chat_id = any (${place}::uuid[])`)
  add(kind, (place) => `${place}::text in (r.kind, split_part(r.kind, '.', 1))`)
  add(
    words,
    (place) =>
      `archive.words_of(r) @@ private.message_query(private.without_invisible(${place}::text))`,
  )
  return { text: all.join(' and '), values }
}

// `Date.parse` takes February 30.
const isTime = (value: string) =>
  (DAY.test(value) || TIME.test(value)) &&
  value >= '0001' &&
  new Date(value.slice(0, 10)).getUTCDate() === Number(value.slice(8, 10)) &&
  !Number.isNaN(Date.parse(value))

const startOf = (from: string) => (DAY.test(from) ? `${from}T00:00Z` : from)

function endOf(to: string): string {
  if (!DAY.test(to)) return to
  const end = new Date(to)
  end.setUTCDate(end.getUTCDate() + 1)
  return end.toISOString()
}
