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
  part_seq bigint not null default 0,
  percent numeric(5, 2) not null default 5,
  seed text not null default gen_random_uuid() || '-' || gen_random_uuid(),
  constraint "Percent is 0 to 100" check (percent between 0 and 100)
);
comment on table private.review_worker is 'The last seal that was gone through, and the sample of the whole team.';
comment on column private.review_worker.part_seq is 'The last record that was gone through of the seal after that one.';
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
  is_covered boolean not null default false,
  spare_seq bigint,
  constraint review_weeks_key unique nulls not distinct (week, leader_id)
);
comment on table private.review_weeks is
  'How many messages were gone through, by the Monday of their week in the team''s time zone and the nearest leader above who wrote them.';
comment on column private.review_weeks.is_covered is 'At least one of these messages was drawn.';
comment on column private.review_weeks.spare_seq is
  'Until then, the record with the lowest draw: reviewed once the week has ended. None where nothing is to be drawn.';
create index review_weeks_spare on private.review_weeks (week) where spare_seq is not null;
alter table private.review_weeks enable row level security;
revoke all on private.review_weeks from anon, authenticated, service_role;

-- The nearest leader above an author, and how much of what they write is drawn: the nearest one with a share of their own
-- decides, else the share of the team.
create function private.author_sampling(member_id uuid, team_percent numeric, out leader_id uuid, out percent numeric)
language sql stable security definer set search_path = ''
as $$
  select
    (array_agg(above.id order by above.level))[1],
    coalesce((array_agg(s.percent order by above.level) filter (where s.percent is not null))[1], team_percent)
  from private.upline(member_id) above left join private.review_sampling s on s.leader_id = above.id
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

-- Goes through the next messages of a seal: few enough that it stays short, whatever they say. The last record's number is
-- null once there are none.
create function private.review_part(
  seal archive.seals, after_seq bigint, seed text, team_percent numeric, out added integer, out last_seq bigint
)
language plpgsql security definer set search_path = ''
as $$
declare
  zone constant text := (select s.time_zone from public.team_settings s);
  -- So many characters, fewer for a lexicon larger than the 130 entries that come with it.
  most constant bigint := 6500000 / (select greatest(count(*), 130) from private.lexicon_entries e where e.is_active);
  items private.review_items[];
begin
  with part as materialized (
    select r.seq, r.recorded_at, r.kind, r.subject_id, r.chat_id, r.member_id, said.words, char_length(said.words) as length
    from (
      -- What a team had before it had an archive is not gone through. The limit stands twice so that no more is read.
      (
        select * from archive.records
        where seq between greatest(seal.from_seq, after_seq + 1) and seal.to_seq and not seal.open @> seq
          and kind in ('message.sent', 'message.edited') and member_id is not null and content ->> 'snapshot' is null
        order by seq limit 250
      )
      union all
      select * from archive.records
      where seq = any (seal.late) and seq > after_seq
        and kind in ('message.sent', 'message.edited') and member_id is not null and content ->> 'snapshot' is null
      order by seq limit 250
    ) r
    cross join lateral (
      select concat_ws(' ', r.content ->> 'text', r.content -> 'attachment' ->> 'name') as words
    ) said
  ), folded as materialized (
    select p.seq, p.recorded_at, p.kind, p.subject_id, p.chat_id, p.member_id, private.plain_clauses(p.words) as clauses
    from (select *, sum(part.length) over (order by part.seq) - part.length as before from part) p
    where p.before < most
  ), authors as materialized (
    select each.member_id, s.leader_id, s.percent
    from (select distinct f.member_id from folded f) each
    cross join lateral private.author_sampling(each.member_id, team_percent) s
  ), batch as materialized (
    select p.seq, p.recorded_at, p.kind, p.subject_id, p.chat_id, p.member_id, a.leader_id, a.percent, p.clauses,
      private.words_of_clauses(p.clauses) as words,
      case p.kind when 'message.sent' then private.sample_draw(p.seq, seed) end as draw
    -- Folding makes several of some characters.
    from (select *, sum(char_length(f.clauses)) over (order by f.seq) - char_length(f.clauses) as before from folded f) p
    join authors a on a.member_id = p.member_id
    where p.before < most
  ), weeks as (
    select date_trunc('week', b.recorded_at at time zone zone)::date as week, b.leader_id, count(*) as messages,
      bool_or(private.is_drawn(b.draw, b.percent)) as is_covered,
      (array_agg(b.seq order by b.draw, b.seq) filter (where b.percent > 0))[1] as lowest_seq
    from batch b where b.kind = 'message.sent' group by 1, 2
  ), counted as (
    insert into private.review_weeks as w (week, leader_id, messages, is_covered, spare_seq)
    select n.week, n.leader_id, n.messages, n.is_covered, case when not n.is_covered then n.lowest_seq end from weeks n
    on conflict on constraint review_weeks_key do update set
      messages = w.messages + excluded.messages,
      is_covered = w.is_covered or excluded.is_covered,
      spare_seq = case
        when w.is_covered or excluded.is_covered then null
        when private.sample_draw(w.spare_seq, seed) <= private.sample_draw(excluded.spare_seq, seed) then w.spare_seq
        else coalesce(excluded.spare_seq, w.spare_seq)
      end
  ), entries as materialized (
    -- Most entries are in none of the messages, which one look over all of them shows.
    select e from private.lexicon_entries e where e.is_active and strpos((select string_agg(b.words, '') from batch b), e.stem) > 0
  ), found as (
    select 'lexicon' as source, b.subject_id, max(b.seq) as seq, jsonb_agg(distinct private.lexicon_label(n.e)) as caught
    from entries n join batch b on private.lexicon_matches(n.e, b.words, b.clauses)
    group by b.subject_id
    union all
    select 'sample', b.subject_id, max(b.seq), '[]' from batch b where private.is_drawn(b.draw, b.percent) group by b.subject_id
  ), queued as (
    insert into private.review_items as i (
      source, message_id, chat_id, member_id, leader_id, record_seq, caught, percent, occurred_at
    )
    select f.source, f.subject_id, b.chat_id, b.member_id, b.leader_id, f.seq, f.caught,
      case f.source when 'sample' then b.percent end, b.recorded_at
    from found f join batch b on b.seq = f.seq
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
  select coalesce(array_agg(q.i), '{}'), (select max(b.seq) from batch b) into items, last_seq from queued q;
  added := private.record_queued(items);
end
$$;

-- For each leader's people of whom nothing was drawn in a week before this one, the message that came closest; at most so many
-- at once.
create function private.review_spares(before date, most integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  items private.review_items[];
begin
  with ended as (
    update private.review_weeks w set is_covered = true, spare_seq = null
    from (
      select s.week, s.leader_id, s.spare_seq from private.review_weeks s
      where s.spare_seq is not null and s.week < before order by s.week limit most
    ) spare
    where w.week = spare.week and w.leader_id is not distinct from spare.leader_id
    returning spare.*
  ), queued as (
    insert into private.review_items as i (source, message_id, chat_id, member_id, leader_id, record_seq, of_week, occurred_at)
    select 'sample', r.subject_id, r.chat_id, r.member_id, e.leader_id, r.seq, e.week, r.recorded_at
    from ended e join archive.records r on r.seq = e.spare_seq
    where not exists (select from private.review_items known where known.message_id = r.subject_id and known.source = 'sample')
    order by r.seq
    on conflict do nothing
    returning i
  )
  select coalesce(array_agg(q.i), '{}') into items from queued q;
  return private.record_queued(items);
end
$$;

-- A call takes two seconds and a little, however much there is; the rest is for the next.
create function public.review_new_messages(max_seals int default 20) returns jsonb
language plpgsql security definer set search_path = '' set statement_timeout = '60s'
as $$
declare
  -- A transaction that was under way when the week ended has ended by now.
  this_week constant date := private.week_of(now() - interval '1 hour');
  worker private.review_worker;
  seal archive.seals;
  part record;
  seals integer := 0;
  added integer := 0;
  is_done boolean;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('private.review_worker', 0)) then
    return jsonb_build_object('seals', 0, 'added', 0, 'is_done', false, 'is_busy', true);
  end if;
  select * into worker from private.review_worker;
  loop
    select * into seal from archive.seals s where s.number > worker.seal order by s.number limit 1;
    exit when not found or seals >= least(max_seals, 20) or clock_timestamp() > statement_timestamp() + interval '2 seconds';
    select * into part from private.review_part(seal, worker.part_seq, worker.seed, worker.percent);
    added := added + part.added;
    worker.part_seq := coalesce(part.last_seq, 0);
    if part.last_seq is null then
      worker.seal := seal.number;
      seals := seals + 1;
    end if;
  end loop;
  update private.review_worker w set seal = worker.seal, part_seq = worker.part_seq
  where (w.seal, w.part_seq) <> (worker.seal, worker.part_seq);
  is_done := seal.number is null;
  -- Among messages still to come, the sample may draw one of a week that has ended, or one may come closer.
  if is_done and not exists (
    select from archive.records r
    where r.seq > (select s.to_seq from archive.last_seal() s) and r.recorded_at < now() - interval '1 hour'
  ) then
    added := added + private.review_spares(this_week, 200);
    is_done := not exists (select from private.review_weeks w where w.spare_seq is not null and w.week < this_week);
  end if;
  return jsonb_build_object('seals', seals, 'added', added, 'is_done', is_done);
end
$$;
comment on function public.review_new_messages is
  'For servers, about once a minute after seal_archive: queues what the lexicon catches and the sample draws. Call it again while it is not done, unless another call is busy with it.';

revoke execute on function public.review_new_messages from public, anon, authenticated;
grant execute on function public.review_new_messages to service_role;
revoke execute on all functions in schema private from public;
