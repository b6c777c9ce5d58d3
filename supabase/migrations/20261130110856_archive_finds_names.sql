-- Supervisors could not find a file by its name, nor a chat by a former name, and the lexicon ignored the names of files. Finding
-- out who could read a record took seconds in a large team. How long a record is kept now counts from its seal, so that
-- verifying the archive can tell whether it was pruned too early; some records stay a day longer. The last statement adds the
-- names of files to the search index. Records stay as they are, and what the review has gone through is not gone through again.

drop function archive.took_part(uuid,uuid,bigint);

create index records_of_chat_names on archive.records (chat_id, seq) where kind in ('chat.created', 'chat.renamed');

create function archive.participants_at(chat_id uuid, until_seq bigint) returns setof uuid
language sql stable set search_path = ''
as $$
  select j.member_id
  from (
    select distinct on (r.member_id) r.member_id, r.kind from archive.records r
    where r.chat_id = participants_at.chat_id and r.seq <= until_seq and r.kind in ('chat.joined', 'chat.left')
    order by r.member_id, r.seq desc
  ) j
  where j.kind = 'chat.joined'
$$;

create or replace function archive.team_at(until_seq bigint)
returns table (id uuid, name text, email text, role text, rally_enabled boolean)
language sql stable set search_path = ''
as $$
  select j.member_id, j.content ->> 'name', j.content ->> 'email', j.content ->> 'role',
    (j.content ->> 'rally_enabled')::boolean
  from (
    select distinct on (r.member_id) r.member_id, r.kind, r.content from archive.records r
    where r.chat_id is null and r.seq <= until_seq and r.kind in ('member.joined', 'member.changed', 'member.left')
    order by r.member_id, r.seq desc
  ) j
  where j.kind <> 'member.left' and j.content ->> 'status' = 'active'
$$;

create or replace function archive.audience_of(record_seq bigint) returns table (member_id uuid, name text, email text)
language sql stable security definer set search_path = ''
as $$
  with r as (
    select r.chat_id, r.content,
      case r.audience when 'notice' then coalesce(r.content ->> 'audience', 'nobody') else r.audience end as audience
    from archive.records r where r.seq = record_seq
  )
  select t.id, t.name, t.email
  from r cross join archive.team_at(record_seq) t
  where case r.audience
    when 'admins' then t.role = 'admin'
    when 'team' then true
    when 'all' then true
    when 'role' then t.role = r.content ->> 'audience_role'
    when 'members' then t.id::text in (select json_array_elements_text(r.content -> 'audience_members'))
    when 'chat' then t.id in (select archive.participants_at((select r.chat_id from r), record_seq))
      and (t.rally_enabled or r.chat_id <> private.mandatory_chat_id())
    else false
  end
$$;

create or replace function archive.prune_rightly() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from gone g
    where not archive.may_prune(g)
      or not exists (
        select from archive.seals s
        where archive.is_expired(g.kind, s.sealed_at) and s.to_seq >= g.seq
          and (s.from_seq <= g.seq and not s.open @> g.seq or g.seq = any (s.late))
      )
  ) then
    raise exception 'The archive can only be added to' using errcode = '42501';
  end if;
  if not exists (select from gone) then
    return null;
  end if;
  perform archive.record(
    'archive.pruned',
    json_build_object('count', count(*), 'records', range_agg(int8range(g.seq, g.seq + 1))::text),
    audience => 'nobody'
  )
  from gone g;
  update archive.seals s set leaves = null
  where s.leaves is not null
    and s.to_seq >= (select min(seq) from gone) and s.from_seq <= (select max(seq) from gone)
    and not exists (select from archive.records r where r.seq between s.from_seq and s.to_seq or r.seq = any (s.late));
  delete from archive.search_entries e using gone g where e.seq = g.seq;
  perform archive.release_files(array(select g.subject_id from gone g where g.kind = 'message.file'));
  return null;
end
$$;

create or replace function public.prune_archive(max_records int default 5000) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  pruned integer;
begin
  -- One at a time: two would wait for each other's rows.
  if not pg_try_advisory_xact_lock(hashtextextended('archive: pruning', 0)) then
    return 0;
  end if;
  delete from archive.records d
  where d.seq in (
    select r.seq
    from archive.seals s
    join archive.records r on r.seq between s.from_seq and s.to_seq and not s.open @> r.seq or r.seq = any (s.late)
    where s.leaves is not null and s.sealed_at < now() - interval '3 years'
      and archive.is_expired(r.kind, s.sealed_at) and archive.may_prune(r)
    order by s.number limit least(max_records, 20000)
  );
  get diagnostics pruned = row_count;
  return pruned;
end
$$;

create or replace function archive.text_of(content json) returns text
language sql immutable parallel safe
return concat_ws(
  E'\n', nullif(content ->> 'text', ''), case when json_typeof(content -> 'before') = 'string' then content ->> 'before' end,
  content ->> 'reason', content ->> 'note', content ->> 'title', content ->> 'name',
  content -> 'after' ->> 'title', content -> 'after' ->> 'text', content -> 'attachment' ->> 'name'
);

create or replace function archive.words_of(r archive.records) returns tsvector
language sql immutable parallel safe
return private.message_words(private.without_invisible(concat_ws(
  ' ', archive.text_of((r).content), translate((r).content -> 'attachment' ->> 'name', '_.-', '   ')
)));

create or replace function archive.chats_called(words text) returns uuid[]
language sql stable set search_path = ''
as $$
  select case
    when words ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then array[words::uuid]
    else array(
      select distinct r.chat_id from archive.records r
      where r.kind in ('chat.created', 'chat.renamed')
        and strpos(lower(private.without_accents(r.content ->> 'name')), lower(private.without_accents(btrim(words)))) > 0
      order by r.chat_id limit 50
    )
  end
$$;

create or replace function archive.title_of(chat_id uuid) returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    (select nullif(c.name, '') from public.chats c where c.id = title_of.chat_id),
    (
      select nullif(r.content ->> 'name', '') from archive.records r
      where r.chat_id = title_of.chat_id and r.kind in ('chat.created', 'chat.renamed') order by r.seq desc limit 1
    ),
    (
      select string_agg(distinct p.name, ', ') from (
        select coalesce(r.content -> 'member' ->> 'name', r.actor_name) as name from archive.records r
        where r.chat_id = title_of.chat_id and r.kind = 'chat.joined' order by r.member_id limit 2
      ) p
    ), ''
  )
$$;

create or replace function private.review_seal(seal archive.seals, seed text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  items private.review_items[];
  item private.review_items;
begin
  with batch as materialized (
    select r.seq, r.recorded_at, r.kind, r.subject_id, r.chat_id, r.member_id,
      private.plain_words(concat_ws(' ', r.content ->> 'text', r.content -> 'attachment' ->> 'name')) as words
    from archive.records r
    where (r.seq between seal.from_seq and seal.to_seq and not seal.open @> r.seq or r.seq = any (seal.late))
      and r.kind in ('message.sent', 'message.edited') and r.member_id is not null
      -- What a team had before it had an archive.
      and r.content ->> 'snapshot' is null
  ), counted as (
    insert into private.review_weeks as w (week, messages)
    select private.week_of(b.recorded_at), count(*) from batch b where b.kind = 'message.sent' group by 1
    on conflict (week) do update set messages = w.messages + excluded.messages
  ), authors as materialized (
    select each.member_id, private.nearest_leader(each.member_id) as leader_id, private.sample_percent(each.member_id) as percent
    from (select distinct b.member_id from batch b) each
  ), found as (
    select 'lexicon' as source, b.subject_id, max(b.seq) as seq, jsonb_agg(distinct private.lexicon_label(e)) as caught
    from private.lexicon_entries e
    join batch b on strpos(b.words, e.stem) > 0 and private.lexicon_matches(e, b.words)
    where e.is_active
    group by b.subject_id
    union all
    select 'sample', b.subject_id, b.seq, '[]'
    from batch b join authors a on a.member_id = b.member_id
    where b.kind = 'message.sent' and private.is_sampled(b.seq, seed, a.percent)
  ), queued as (
    insert into private.review_items as i (
      source, message_id, chat_id, member_id, leader_id, record_seq, caught, percent, occurred_at
    )
    select f.source, f.subject_id, b.chat_id, b.member_id, a.leader_id, f.seq, f.caught,
      case f.source when 'sample' then a.percent end, b.recorded_at
    from found f join batch b on b.seq = f.seq join authors a on a.member_id = b.member_id
    where not exists (
      select from private.review_items known
      where known.message_id = f.subject_id and known.source = f.source and known.record_seq >= f.seq
    )
    order by f.seq
    on conflict (source, message_id) where source <> 'report' and closed_at is null do update set
      record_seq = excluded.record_seq, version = i.version + 1, caught = (
        select jsonb_agg(distinct label) from jsonb_array_elements(i.caught || excluded.caught) label
      )
    returning i
  )
  select coalesce(array_agg(q.i), '{}') into items from queued q;
  foreach item in array items loop
    perform private.record_review('queued', item, jsonb_build_object(
      'caught', nullif(item.caught, '[]'), 'percent', item.percent, 'record', item.record_seq
    ));
  end loop;
  return cardinality(items);
end
$$;

create function private.words_to_review(content json) returns text
language sql immutable
return coalesce(nullif(content ->> 'text', ''), content -> 'attachment' ->> 'name');

create or replace function public.review_queue(
  state text default 'open', of_source text default null, after_time timestamptz default null, after_id uuid default null,
  max_results integer default 50
)
returns table (
  id uuid, source text, member_id uuid, member_name text, chat_id uuid, chat_title text, words text, caught jsonb, report_reason text,
  occurred_at timestamptz, created_at timestamptz, assigned_to uuid, assigned_name text, outcome text, closed_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  most constant integer := least(greatest(coalesce(max_results, 50), 1), 200);
  after_urgency constant smallint := (select i.urgency from private.review_items i where i.id = after_id);
  items private.review_items[];
begin
  perform private.assert_supervisor();
  if state = 'closed' then
    items := array(
      select i from private.review_items i
      where i.closed_at is not null and (of_source is null or i.source = of_source) and private.may_review(i)
        and (after_time is null or (i.closed_at, i.id) < (after_time, after_id))
      order by i.closed_at desc, i.id desc limit most
    );
  else
    items := array(
      select i from private.review_items i
      where i.closed_at is null and (of_source is null or i.source = of_source) and private.may_review(i)
        and (state <> 'mine' or i.assigned_to = me)
        and (after_time is null or (i.urgency, i.created_at, i.id) > (after_urgency, after_time, after_id))
      order by i.urgency, i.created_at, i.id limit most
    );
  end if;
  return query
  select i.id, i.source, i.member_id, private.member_name(i.member_id), i.chat_id, private.chat_title(i.chat_id),
    left(private.words_to_review(r.content), 300), i.caught, p.reason, i.occurred_at, i.created_at, i.assigned_to,
    private.member_name(i.assigned_to), i.outcome, i.closed_at
  from unnest(items) with ordinality i
  left join archive.records r on r.seq = i.record_seq
  left join private.reports p on p.id = i.report_id
  order by i.ordinality;
end
$$;

create or replace function public.review_item(item_id uuid)
returns table (
  id uuid, source text, member_id uuid, member_name text, leader_name text, chat_id uuid, chat_title text, message_id uuid,
  words text, record_seq bigint, caught jsonb, percent numeric, report_reason text, report_note text, reporter_name text,
  occurred_at timestamptz, created_at timestamptz, assigned_to uuid, assigned_name text, outcome text, closed_at timestamptz,
  version integer, events jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  return query
  select i.id, i.source, i.member_id, private.member_name(i.member_id), private.member_name(i.leader_id), i.chat_id,
    private.chat_title(i.chat_id), i.message_id, private.words_to_review(r.content), i.record_seq, i.caught, i.percent, p.reason, p.note,
    private.member_name(i.reporter_id), i.occurred_at, i.created_at, i.assigned_to, private.member_name(i.assigned_to),
    i.outcome, i.closed_at, i.version,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'at', e.recorded_at, 'action', e.action, 'note', e.note, 'outcome', e.outcome,
        'actor', private.member_name(e.actor_id), 'assignee', private.member_name(e.assignee_id)
      ) order by e.recorded_at, e.id)
      from (
        select * from private.review_events v where v.item_id = i.id order by v.recorded_at desc limit 200
      ) e
    ), '[]')
  from private.review_items i
  left join archive.records r on r.seq = i.record_seq
  left join private.reports p on p.id = i.report_id
  where i.id = item_id and private.may_review(i);
end
$$;

revoke execute on function archive.participants_at(uuid,bigint) from public;

revoke execute on function private.words_to_review(json) from public;

update archive.search_entries e set terms = archive.search_terms(r)
from archive.records r
where r.seq = e.seq and r.content -> 'attachment' ->> 'name' is not null;
