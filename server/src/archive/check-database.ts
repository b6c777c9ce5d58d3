// What the chain cannot show: whether the tables say what the archive says, and whether the triggers that write it are there.
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import type { Finding } from './check-chain.ts'

const MOST = 20

const DIFFERENT_MESSAGES = `
  with last as (
    select distinct on (r.subject_id) r.subject_id as id, r.kind, r.content ->> 'text' as text,
      coalesce((r.content ->> 'is_deleted')::boolean, r.kind in ('message.deleted', 'message.removed')) as is_deleted
    from archive.records r
    where r.kind in ('message.sent', 'message.edited', 'message.deleted', 'message.removed', 'message.restored', 'message.erased')
      and r.subject_id is not null
    order by r.subject_id, r.seq desc
  )
  select coalesce(m.id, l.id)::text as id, case
      when m.id is null then 'was deleted without a record'
      when l.id is null then 'was never archived'
      when l.text is distinct from m.message then 'has another text than the archive'
      else 'is deleted in one and not in the other'
    end as how
  from public.chat_messages m
  full join last l on l.id = m.id
  where case
    when m.id is null then l.kind <> 'message.erased'
    -- Its records may have been pruned.
    when l.id is null then m.sent_at > now() - interval '3 years'
    else l.text is distinct from m.message or l.kind <> 'message.edited' and l.is_deleted <> m.is_deleted
  end
  order by m.sent_at, 1 limit ${MOST + 1}`

/** @returns how many messages were compared */
export async function checkMessages(
  client: GuardedClient,
  found: (finding: Finding) => void,
): Promise<number> {
  const { rows } = await client.query<{ id: string; how: string }>(DIFFERENT_MESSAGES)
  for (const { id, how } of rows.slice(0, MOST)) found({ what: `message ${id} ${how}` })
  if (rows.length > MOST) found({ what: `there are more such messages than these ${MOST}` })
  const { rows: counted } = await client.query<{ count: string }>(
    'select count(*) from public.chat_messages',
  )
  return Number(counted[0]?.count)
}

const DIFFERENT_HOLDS = `
  with recorded as (
    select r.subject_id as id, min(r.member_id::text) as member_id, min(r.chat_id::text) as chat_id,
      bool_or(r.kind = 'hold.lifted') as is_lifted
    from archive.records r where r.kind in ('hold.placed', 'hold.lifted') group by r.subject_id
  ), compared as (
    select coalesce(h.id, r.id)::text as id, case
        when h.id is null then 'was removed'
        when r.id is null then 'was placed without a record'
        when (h.member_id::text, h.chat_id::text) is distinct from (r.member_id, r.chat_id) then 'is on something else than was recorded'
        when h.lifted_at is null and r.is_lifted then 'lasts, and was recorded as lifted'
        when h.lifted_at is not null and not r.is_lifted then 'was lifted without a record'
      end as how
    from archive.holds h
    full join recorded r on r.id = h.id
  )
  select id, how from compared where how is not null order by id limit ${MOST + 1}`

/** Records of holds are kept for good, so each hold has them. */
export async function checkHolds(client: GuardedClient, found: (finding: Finding) => void) {
  const { rows } = await client.query<{ id: string; how: string }>(DIFFERENT_HOLDS)
  for (const { id, how } of rows.slice(0, MOST)) found({ what: `legal hold ${id} ${how}` })
  if (rows.length > MOST) found({ what: `there are more such legal holds than these ${MOST}` })
}

/** Table and trigger; a test compares this list with a new database. */
export const TRIGGERS = [
  'archive.records prune_rightly',
  'archive.records refuse_truncate',
  'archive.records refuse_update',
  'archive.retention guard_retention',
  'archive.seals guard_seal',
  'archive.seals refuse_truncate',
  'auth.users archive_keeps_account',
  'auth.users archive_keeps_deleted_account',
  'private.audit_log archive_audit',
  'private.chat_participants archive_changed',
  'private.chat_participants archive_erased',
  'private.chat_participants archive_joined',
  'private.chat_participants archive_truncated',
  'private.members archive_changed',
  'private.members archive_joined',
  'private.members archive_truncated',
  'private.blocks archive_block',
  'private.house_rules archive_rules',
  'private.reports archive_closed',
  'private.reports archive_made',
  'private.rule_acceptances archive_acceptance',
  'public.chat_messages archive_changed',
  'public.chat_messages archive_changed_file',
  'public.chat_messages archive_drops_file',
  'public.chat_messages archive_erased',
  'public.chat_messages archive_file',
  'public.chat_messages archive_sent',
  'public.chat_messages archive_truncated',
  'public.chat_pins archive_pin',
  'public.chat_pins archive_truncated',
  'public.chat_reactions archive_added',
  'public.chat_reactions archive_changed',
  'public.chat_reactions archive_removed',
  'public.chat_reactions archive_truncated',
  'public.chats archive_chat',
  'public.chats archive_truncated',
  'public.notice_receipts archive_acknowledged',
  'public.notice_receipts archive_delivered',
  'public.team_notices archive_notice',
  'public.team_notices archive_truncated',
  'storage.objects archive_keeps_changed_file',
  'storage.objects archive_keeps_file',
]

/** Triggers of the archive that are missing or disabled. */
export async function checkTriggers(client: GuardedClient, found: (finding: Finding) => void) {
  const { rows } = await client.query<{ name: string }>(
    `select c.relnamespace::regnamespace || '.' || c.relname || ' ' || t.tgname as name
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     join pg_proc p on p.oid = t.tgfoid
     where not t.tgisinternal and t.tgenabled in ('O', 'A') and p.pronamespace = 'archive'::regnamespace`,
  )
  const present = new Set(rows.map(({ name }) => name))
  for (const name of TRIGGERS) {
    const [table, trigger] = name.split(' ')
    if (!present.has(name)) found({ what: `the trigger ${trigger} of ${table} is missing or off` })
  }
}
