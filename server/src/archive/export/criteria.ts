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
const NUMBER = /^\d{1,18}$/
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
    if (
      value !== null &&
      (!(DAY.test(value) || TIME.test(value)) || Number.isNaN(Date.parse(value)))
    )
      throw new BackupError(
        `--${name} takes a day, such as 2026-01-31, or a time in UTC, such as 2026-01-31T14:30Z.`,
      )
  if (from && to && Date.parse(from) > Date.parse(to))
    throw new BackupError('--from is after --to.')
  if (kind !== null && !KIND.test(kind))
    throw new BackupError('--kind takes a kind of record, such as message or message.removed.')
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

type RecordedSearch = {
  reason: string
  criteria: Partial<Record<'words' | 'person' | 'chat' | 'kind' | 'from' | 'to', string>>
}

// `archive.search` is what finds it on the screen.
async function searchedCriteria(client: GuardedClient, search: string) {
  const { rows } = await client.query<{ content: RecordedSearch }>(
    `select r.content from archive.records r where r.seq = $1 and r.kind in ('search.made', 'export.page')`,
    [NUMBER.test(search) ? search : 0],
  )
  if (!rows[0])
    throw new BackupError(
      '--search takes the number of a search, which stands below what was found.',
    )
  const { reason, criteria } = rows[0].content
  const given = (name: keyof RecordedSearch['criteria']) => criteria[name]?.trim() || null
  return {
    criteria: {
      from: given('from'),
      to: given('to'),
      members: await called(client, 'people', given('person')),
      chats: await called(client, 'chats', given('chat')),
      kind: given('kind')?.replaceAll(/[^a-z._]/g, '') ?? null,
      words: given('words'),
      search,
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
    throw new BackupError(`${message}: ${name}.`, { cause: error })
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

/** A condition on `archive.records` as `r`, and its values from `$1` on. */
export type Condition = { text: string; values: unknown[] }

/** What narrows the records down one by one. */
export function conditionOf(criteria: Criteria): Condition {
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

const startOf = (from: string) => (DAY.test(from) ? `${from}T00:00Z` : from)

function endOf(to: string): string {
  if (!DAY.test(to)) return to
  const end = new Date(to)
  end.setUTCDate(end.getUTCDate() + 1)
  return end.toISOString()
}
