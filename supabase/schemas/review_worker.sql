-- Fills the queue. A server calls it once a minute, after sealing: a message costs nothing when it is sent. It follows the
-- seals: each record comes under exactly one of them, also one whose transaction ended late, so none is missed or taken twice.

create table private.review_sampling (
  leader_id uuid primary key references private.members (id),
  percent numeric(5, 2) not null,
  constraint "Percent is 0 to 100" check (percent between 0 and 100)
);
comment on table private.review_sampling is 'The share of messages drawn at random from the line of a leader, where it is not the team''s.';
alter table private.review_sampling enable row level security;
revoke all on private.review_sampling from anon, authenticated, service_role;

create table private.review_worker (
  is_only_row boolean primary key default true check (is_only_row),
  seal bigint not null default 0,
  percent numeric(5, 2) not null default 5,
  seed text not null default gen_random_uuid() || '-' || gen_random_uuid(),
  constraint "Percent is 0 to 100" check (percent between 0 and 100)
);
comment on table private.review_worker is 'The last seal that was gone through, and the sample of the whole team.';
comment on column private.review_worker.seed is 'Decides with a record''s number whether it is drawn. Secret, so that nobody can foresee it.';
insert into private.review_worker default values;
alter table private.review_worker enable row level security;
revoke all on private.review_worker from anon, authenticated, service_role;

-- What supervisors, or an operator in the SQL console, change of it: in the archive and in the audit log.
create function private.record_sampling() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  one constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  other constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  leader constant uuid := coalesce(other, one) ->> 'leader_id';
begin
  if one -> 'percent' is distinct from other -> 'percent' then
    perform archive.record(
      'review.sampling', json_build_object('before', one -> 'percent', 'percent', other -> 'percent'), member_id => leader,
      audience => 'nobody'
    );
    perform private.record_change(
      'supervision', 'sampling', leader, null, jsonb_build_object('percent', one -> 'percent'),
      jsonb_build_object('percent', other -> 'percent'), array[leader]
    );
  end if;
  return null;
end
$$;
create trigger record_sampling after insert or update or delete on private.review_sampling
  for each row execute function private.record_sampling();
create trigger record_sampling after update of percent on private.review_worker
  for each row execute function private.record_sampling();

create table private.review_weeks (
  week date not null,
  leader_id uuid,
  messages bigint not null,
  spare_seq bigint,
  constraint review_weeks_key unique nulls not distinct (week, leader_id)
);
comment on table private.review_weeks is
  'How many messages were gone through, by the Monday of their week in the team''s time zone and the nearest leader above who wrote them.';
comment on column private.review_weeks.spare_seq is
  'Of these messages'' records the one with the lowest draw, until the sample draws one: reviewed once the week has ended.';
create index review_weeks_spare on private.review_weeks (week) where spare_seq is not null;
alter table private.review_weeks enable row level security;
revoke all on private.review_weeks from anon, authenticated, service_role;

-- The nearest leader above who has a share of their own decides.
create function private.sample_percent(member_id uuid) returns numeric
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (
      select s.percent from private.upline(member_id) above join private.review_sampling s on s.leader_id = above.id
      order by above.level limit 1
    ),
    (select w.percent from private.review_worker w)
  )
$$;

-- From 0 to below 2^32. The same record and seed always give the same number.
create function private.sample_draw(seq bigint, seed text) returns bigint
language sql immutable set search_path = ''
as $$ select ('x' || left(encode(sha256(convert_to(seed || ':' || seq, 'UTF8')), 'hex'), 8))::bit(32)::bigint $$;

create function private.is_drawn(draw bigint, percent numeric) returns boolean
language sql immutable set search_path = ''
as $$ select draw < percent / 100 * 4294967296 $$;

create function private.week_of(moment timestamptz) returns date
language sql stable security definer set search_path = ''
as $$ select date_trunc('week', moment at time zone (select s.time_zone from public.team_settings s))::date $$;

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

create function private.review_seal(seal archive.seals, seed text) returns integer
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

-- Of each leader's people whom the sample left out for a whole week, the message that came closest; none where nothing is
-- to be drawn. At most so many at once.
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

create function public.review_new_messages(max_seals int default 5) returns jsonb
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
comment on function public.review_new_messages is
  'For servers, about once a minute after seal_archive: queues what the lexicon catches and the sample draws. Call it again while it is not done.';

revoke execute on function public.review_new_messages from public, anon, authenticated;
grant execute on function public.review_new_messages to service_role;
revoke execute on all functions in schema private from public;
