-- The sample drew nothing from many small lines for weeks. Now what came closest is reviewed once the week has ended, and the figures can
-- be read by line. Messages counted before this count for the whole team only, and their weeks are not gone through again. An app
-- from before calls review_figures without a leader, as it did.

alter table private.review_weeks drop constraint review_weeks_pkey;

drop function private.is_sampled(bigint,text,numeric);

drop function public.review_figures(integer);

alter table private.review_items add column of_week date;

alter table private.review_weeks add column leader_id uuid;

alter table private.review_weeks add column spare_seq bigint;

create index review_weeks_spare on private.review_weeks (week) where spare_seq is not null;

create function private.sample_draw(seq bigint, seed text) returns bigint
language sql immutable set search_path = ''
as $$ select ('x' || left(encode(sha256(convert_to(seed || ':' || seq, 'UTF8')), 'hex'), 8))::bit(32)::bigint $$;

create function private.is_drawn(draw bigint, percent numeric) returns boolean
language sql immutable set search_path = ''
as $$ select draw < percent / 100 * 4294967296 $$;

create function private.record_queued(items private.review_items[]) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  item private.review_items;
begin
  foreach item in array items loop
    perform private.record_review('queued', item, jsonb_build_object(
      'caught', nullif(item.caught, '[]'), 'percent', item.percent, 'of_week', item.of_week, 'record', item.record_seq
    ));
  end loop;
  return cardinality(items);
end
$$;

create or replace function private.review_seal(seal archive.seals, seed text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  items private.review_items[];
begin
  with batch as materialized (
    select r.seq, r.recorded_at, r.kind, r.subject_id, r.chat_id, r.member_id,
      private.plain_words(concat_ws(' ', r.content ->> 'text', r.content -> 'attachment' ->> 'name')) as words,
      case r.kind when 'message.sent' then private.sample_draw(r.seq, seed) end as draw
    from archive.records r
    where (r.seq between seal.from_seq and seal.to_seq and not seal.open @> r.seq or r.seq = any (seal.late))
      and r.kind in ('message.sent', 'message.edited') and r.member_id is not null
      -- What a team had before it had an archive.
      and r.content ->> 'snapshot' is null
  ), authors as materialized (
    select each.member_id, private.nearest_leader(each.member_id) as leader_id, private.sample_percent(each.member_id) as percent
    from (select distinct b.member_id from batch b) each
  ), counted as (
    insert into private.review_weeks as w (week, leader_id, messages, spare_seq)
    select private.week_of(b.recorded_at), a.leader_id, count(*),
      case when not bool_or(private.is_drawn(b.draw, a.percent)) then (array_agg(b.seq order by b.draw, b.seq))[1] end
    from batch b join authors a on a.member_id = b.member_id
    where b.kind = 'message.sent' group by 1, 2
    on conflict on constraint review_weeks_key do update set
      messages = w.messages + excluded.messages,
      -- Null as soon as either has none: the sample drew one, or the week has ended.
      spare_seq = case
        when private.sample_draw(w.spare_seq, seed) <= private.sample_draw(excluded.spare_seq, seed) then w.spare_seq
        when w.spare_seq is not null then excluded.spare_seq
      end
  ), found as (
    select 'lexicon' as source, b.subject_id, max(b.seq) as seq, jsonb_agg(distinct private.lexicon_label(e)) as caught
    from private.lexicon_entries e
    join batch b on strpos(b.words, e.stem) > 0 and private.lexicon_matches(e, b.words)
    where e.is_active
    group by b.subject_id
    union all
    select 'sample', b.subject_id, b.seq, '[]'
    from batch b join authors a on a.member_id = b.member_id
    where private.is_drawn(b.draw, a.percent)
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
  return private.record_queued(items);
end
$$;

create function private.review_spares(most integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  items private.review_items[];
begin
  with ended as (
    update private.review_weeks w set spare_seq = null
    from (
      select s.week, s.leader_id, s.spare_seq from private.review_weeks s
      where s.spare_seq is not null and s.week < private.week_of(now()) order by s.week limit most
    ) spare
    where w.week = spare.week and w.leader_id is not distinct from spare.leader_id
    returning spare.*
  ), queued as (
    insert into private.review_items as i (
      source, message_id, chat_id, member_id, leader_id, record_seq, percent, of_week, occurred_at
    )
    select 'sample', r.subject_id, r.chat_id, r.member_id, e.leader_id, r.seq, s.percent, e.week, r.recorded_at
    from ended e join archive.records r on r.seq = e.spare_seq
    cross join lateral (select private.sample_percent(r.member_id) as percent) s
    where s.percent > 0
      and not exists (select from private.review_items known where known.message_id = r.subject_id and known.source = 'sample')
    order by r.seq
    returning i
  )
  select coalesce(array_agg(q.i), '{}') into items from queued q;
  return private.record_queued(items);
end
$$;

create or replace function public.review_new_messages(max_seals int default 5) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  worker private.review_worker;
  seal archive.seals;
  seals integer := 0;
  added integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('private.review_worker', 0)) then
    return jsonb_build_object('seals', 0, 'added', 0, 'is_done', true);
  end if;
  select * into worker from private.review_worker;
  loop
    select * into seal from archive.seals s where s.number > worker.seal order by s.number limit 1;
    exit when not found or seals >= least(max_seals, 20);
    added := added + private.review_seal(seal, worker.seed);
    worker.seal := seal.number;
    seals := seals + 1;
  end loop;
  if seals > 0 then
    update private.review_worker set seal = worker.seal;
  end if;
  -- Among messages still to go through, the sample may draw one of a week that has ended.
  if seal.number is null then
    added := added + private.review_spares(200);
  end if;
  return jsonb_build_object('seals', seals, 'added', added, 'is_done', seal.number is null and not exists (
    select from private.review_weeks w where w.spare_seq is not null and w.week < private.week_of(now())
  ));
end
$$;

drop function public.review_item(uuid);
create function public.review_item(item_id uuid)
returns table (
  id uuid, source text, member_id uuid, member_name text, leader_name text, chat_id uuid, chat_title text, message_id uuid,
  words text, record_seq bigint, caught jsonb, percent numeric, of_week date, report_reason text, report_note text, reporter_name text,
  occurred_at timestamptz, created_at timestamptz, assigned_to uuid, assigned_name text, outcome text, closed_at timestamptz,
  version integer, events jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  return query
  select i.id, i.source, i.member_id, private.member_name(i.member_id), private.member_name(i.leader_id), i.chat_id,
    private.chat_title(i.chat_id), i.message_id, private.words_to_review(r.content), i.record_seq, i.caught, i.percent, i.of_week, p.reason, p.note,
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

create function public.review_figures(weeks integer default 12, leader_id uuid default null)
returns table (
  week date, messages bigint, lexicon bigint, sample bigint, report bigint, reviewed bigint, fine bigint, follow_up bigint,
  violation bigint, median_hours numeric, open bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  newest constant date := private.week_of(now());
  zone constant text := (select s.time_zone from public.team_settings s);
begin
  perform private.assert_supervisor();
  return query
  with recursive line as (
    select review_figures.leader_id as id, 0 as depth
    union all
    select m.id, line.depth + 1 from line join private.members m on m.sponsor_id = line.id
    where line.depth < private.most_sponsor_levels()
  )
  select s.week::date, w.messages, c.lexicon, c.sample, c.report, d.reviewed, d.fine, d.follow_up, d.violation,
    round(d.median_hours::numeric, 1), o.open
  from generate_series(newest - 7 * (least(greatest(weeks, 1), 260) - 1), newest, interval '7 days') s (week)
  cross join lateral (
    select s.week::timestamp at time zone zone as since, (s.week + interval '7 days')::timestamp at time zone zone as until
  ) span
  cross join lateral (
    select coalesce(sum(r.messages), 0)::bigint as messages from private.review_weeks r
    where r.week = s.week::date and (review_figures.leader_id is null or r.leader_id in (select l.id from line l))
  ) w
  cross join lateral (
    select count(*) filter (where i.source = 'lexicon') as lexicon, count(*) filter (where i.source = 'sample') as sample,
      count(*) filter (where i.source = 'report') as report
    from private.review_items i where i.created_at >= span.since and i.created_at < span.until
      and (review_figures.leader_id is null or i.leader_id in (select l.id from line l))
  ) c
  cross join lateral (
    select count(*) as reviewed, count(*) filter (where i.outcome = 'fine') as fine,
      count(*) filter (where i.outcome = 'follow_up') as follow_up, count(*) filter (where i.outcome = 'violation') as violation,
      percentile_cont(0.5) within group (order by extract(epoch from i.closed_at - i.created_at) / 3600) as median_hours
    from private.review_items i where i.closed_at >= span.since and i.closed_at < span.until
      and (review_figures.leader_id is null or i.leader_id in (select l.id from line l))
  ) d
  cross join lateral (
    select count(*) as open from private.review_items i
    where i.created_at < span.until and (i.closed_at is null or i.closed_at >= span.until)
      and (review_figures.leader_id is null or i.leader_id in (select l.id from line l))
  ) o
  order by s.week desc;
end
$$;

comment on function public.review_figures(integer,pg_catalog.uuid) is 'For supervisors: the figures of the latest weeks, for the written record of supervision; of everybody, or of what is written in the line of a leader.';

comment on column private.review_items.of_week is 'Set when it was drawn as the week ended, since the sample had drawn nothing else of that leader''s people.';

comment on column private.review_weeks.spare_seq is 'Of these messages'' records the one with the lowest draw, until the sample draws one: reviewed once the week has ended.';

comment on table private.review_weeks is 'How many messages were gone through, by the Monday of their week in the team''s time zone and the nearest leader above who wrote them.';

alter table private.review_weeks add constraint review_weeks_key UNIQUE NULLS NOT DISTINCT (week, leader_id);

revoke execute on function private.is_drawn(bigint,numeric) from public;

revoke execute on function private.record_queued(private.review_items[]) from public;

revoke execute on function private.review_spares(integer) from public;

revoke execute on function private.sample_draw(bigint,text) from public;

revoke execute on function public.review_figures(integer,uuid) from anon;

revoke execute on function public.review_figures(integer,uuid) from public;

revoke execute on function public.review_figures(integer,uuid) from service_role;

revoke execute on function public.review_item(uuid) from anon;

revoke execute on function public.review_item(uuid) from public;

revoke execute on function public.review_item(uuid) from service_role;

comment on function public.review_item(pg_catalog.uuid) is 'For supervisors: one item with its notes and decisions; nothing if somebody else has to review it.';
