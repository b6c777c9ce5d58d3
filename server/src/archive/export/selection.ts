// The numbers of the records that an export has, in a temporary table: on the database's disk, however many they are.
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { conditionOf, type Criteria } from './criteria.ts'

/** Up to which seal: what came later is not in the export, and interrupting it changes nothing about that. */
export type Extent = {
  seal: number
  hash: string
  toSeq: string
  /** Numbers below `toSeq` that no seal up to this one covers. */
  open: string
}

/** Seals what is there and says how far the chain goes. */
export async function sealedExtent(client: GuardedClient): Promise<Extent | null> {
  for (;;) {
    const { rows } = await client.query<{ answer: { seals: number; is_done: boolean } }>(
      'select public.seal_archive(200) as answer',
    )
    if (!rows[0] || rows[0].answer.is_done || rows[0].answer.seals === 0) break
  }
  const { rows } = await client.query<{ seal: number; hash: string; toSeq: string }>(
    `select s.number::int as seal, encode(s.hash, 'hex') as hash, s.to_seq::text as "toSeq"
     from archive.seals s order by s.number desc limit 1`,
  )
  const [head] = rows
  if (!head) return null
  // Of all seals up to it: what they left open, less what later ones among them found or gave up.
  const { rows: gaps } = await client.query<{ open: string }>(
    `select (
       coalesce((select range_agg(o) from archive.seals s, unnest(s.open) o where s.number <= $1), '{}')
       - coalesce((select range_agg(c) from archive.seals s, unnest(s.closed) c where s.number <= $1), '{}')
       - coalesce((
         select range_agg(int8range(l, l + 1)) from archive.seals s, unnest(s.late) l where s.number <= $1
       ), '{}')
     )::text as open`,
    [head.seal],
  )
  return { ...head, open: gaps[0]?.open ?? '{}' }
}

/** Before the transaction that reads: it may fill a temporary table, but not create one. */
export async function prepareSelection(client: GuardedClient): Promise<void> {
  await client.query('create temporary table export_selection (seq bigint primary key)')
}

/** Whether all versions of a message that is found are exported: words and kinds find single ones. */
const hasVersions = ({ words, kind }: Criteria) => words !== null || kind !== null

/** @returns how many records the export has */
export async function select(
  client: GuardedClient,
  criteria: Criteria,
  extent: Extent,
): Promise<number> {
  const { text, values } = conditionOf(criteria)
  const covered = (alias: string, place: number) =>
    `${alias}.seq <= $${place} and not $${place + 1}::int8multirange @> ${alias}.seq`
  const insert = (from: string, given: unknown[]) =>
    client.query(`insert into export_selection ${from} on conflict do nothing`, given)
  await insert(
    `select r.seq from archive.records r where ${text} and ${covered('r', values.length + 1)}`,
    [...values, extent.toSeq, extent.open],
  )
  // All versions of each message found, by anybody and at any time: a removal says little without the text that was removed.
  if (hasVersions(criteria))
    await insert(
      `select r.seq from archive.records r
       where ${covered('r', 1)} and r.kind like 'message.%' and r.subject_id in (
         select f.subject_id from export_selection x join archive.records f using (seq) where f.kind like 'message.%'
       )`,
      [extent.toSeq, extent.open],
    )
  // The hash of a file is recorded by a server, up to a minute later.
  await insert(
    `select f.seq from archive.records f
     where f.kind = 'message.file' and ${covered('f', 1)} and f.subject_id in (
       select r.subject_id from export_selection x join archive.records r using (seq)
       where r.kind in ('message.sent', 'message.erased') and r.content -> 'attachment' is not null
     )`,
    [extent.toSeq, extent.open],
  )
  await client.query('analyze export_selection').catch(() => undefined)
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from export_selection',
  )
  return rows[0]?.count ?? 0
}

/** Counts what the selection would have as well if it were sealed: nearly always little or nothing. */
export async function countUnsealed(
  client: GuardedClient,
  criteria: Criteria,
  extent: Extent,
): Promise<number> {
  const { text, values } = conditionOf(criteria)
  const toSeq = `$${values.length + 1}`
  const open = `$${values.length + 2}::int8multirange`
  const { rows } = await client.query<{ count: number }>(
    `with unsealed as materialized (
       select * from archive.records r where r.seq > ${toSeq}
       union all
       select r.* from unnest(${open}) o join archive.records r on r.seq >= lower(o) and r.seq < upper(o)
     ), selected as materialized (
       select f.subject_id from archive.records f join export_selection x using (seq)
       where f.kind like 'message.%' and f.subject_id in (select u.subject_id from unsealed u)
     )
     select count(*)::int as count from unsealed r
     where (${text})
       -- As in the selection: versions and files of messages that are in it.
       or r.kind ${hasVersions(criteria) ? "like 'message.%'" : "= 'message.file'"}
         and r.subject_id in (select s.subject_id from selected s)`,
    [...values, extent.toSeq, extent.open],
  )
  return rows[0]?.count ?? 0
}
