-- The sample drew nothing from many small lines for weeks. Now what came closest is reviewed once the week has ended, and the figures can
-- be read by line; messages counted before this count for the whole team only. Five hundred messages full of words of the lexicon took
-- the worker longer than its eight seconds, at every try, and nothing came into the queue any more: it goes on in small parts now. The
-- figures told supervisors what was decided about themselves, and read all items ever for each week. An app from before calls
-- review_figures without a leader, as it did.

alter table private.review_weeks drop constraint review_weeks_pkey;

drop function private.is_sampled(bigint,text,numeric);

drop function private.review_seal(archive.seals,text);

drop function private.sample_percent(uuid);

drop function public.review_figures(integer);

alter table private.review_items add column of_week date;

alter table private.review_weeks add column is_covered boolean default false not null;

alter table private.review_weeks add column leader_id uuid;

alter table private.review_weeks add column spare_seq bigint;

alter table private.review_worker add column part_seq bigint default 0 not null;

create or replace function private.plain_words(words text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select ' ' || btrim(regexp_replace(
    replace(replace(
      translate(
        lower(case
          -- ASCII has none of all this.
          when octet_length(words) = char_length(words) then left(words, 8000)
          else private.without_accents(normalize(regexp_replace(
            normalize(private.without_invisible(left(words, 8000)), NFKD),
            -- Marks above, below and across letters.
            '[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]', '', 'g'
          ), NFKC))
        end),
        -- Fillers look like spaces and are letters.
        chr(4447) || chr(4448) || '''`´’‘', '  '
      ), '%', ' % '), '$', ' $ '
    ), '[^[:alnum:]%$]+', ' ', 'g'
  )) || ' '
$$;

create index review_weeks_spare on private.review_weeks (week) where spare_seq is not null;

create function private.author_sampling(member_id uuid, team_percent numeric, out leader_id uuid, out percent numeric)
language sql stable security definer set search_path = ''
as $$
  select
    (array_agg(above.id order by above.level))[1],
    coalesce((array_agg(s.percent order by above.level) filter (where s.percent is not null))[1], team_percent)
  from private.upline(member_id) above left join private.review_sampling s on s.leader_id = above.id
$$;

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
    select p.seq, p.recorded_at, p.kind, p.subject_id, p.chat_id, p.member_id, private.plain_words(p.words) as words
    from (select *, sum(part.length) over (order by part.seq) - part.length as before from part) p
    where p.before < most
  ), authors as materialized (
    select each.member_id, s.leader_id, s.percent
    from (select distinct f.member_id from folded f) each
    cross join lateral private.author_sampling(each.member_id, team_percent) s
  ), batch as materialized (
    select p.seq, p.recorded_at, p.kind, p.subject_id, p.chat_id, p.member_id, a.leader_id, a.percent, p.words,
      case p.kind when 'message.sent' then private.sample_draw(p.seq, seed) end as draw
    -- Folding makes several of some characters.
    from (select *, sum(char_length(f.words)) over (order by f.seq) - char_length(f.words) as before from folded f) p
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
    from entries n join batch b on private.lexicon_matches(n.e, b.words)
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

create or replace function public.review_new_messages(max_seals int default 20) returns jsonb
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
  me constant uuid := (select auth.uid());
  newest constant date := private.week_of(now());
  oldest constant date := newest - 7 * (least(greatest(weeks, 1), 260) - 1);
  zone constant text := (select s.time_zone from public.team_settings s);
  since constant timestamptz := oldest::timestamp at time zone zone;
begin
  perform private.assert_supervisor();
  return query
  with recursive line as (
    select review_figures.leader_id as id, 0 as depth
    union all
    select m.id, line.depth + 1 from line join private.members m on m.sponsor_id = line.id
    where line.depth < private.most_sponsor_levels()
  ), items as materialized (
    select i.source, i.outcome, i.created_at, i.closed_at from private.review_items i
    where (i.created_at >= since or i.closed_at >= since or i.closed_at is null)
      and i.member_id <> me and i.reporter_id is distinct from me
      and (review_figures.leader_id is null or i.leader_id in (select l.id from line l))
  ), came as (
    select date_trunc('week', i.created_at at time zone zone)::date as week, count(*) as items,
      count(*) filter (where i.source = 'lexicon') as lexicon, count(*) filter (where i.source = 'sample') as sample,
      count(*) filter (where i.source = 'report') as report
    from items i where i.created_at >= since group by 1
  ), went as (
    select date_trunc('week', i.closed_at at time zone zone)::date as week, count(*) as items,
      count(*) filter (where i.outcome = 'fine') as fine, count(*) filter (where i.outcome = 'follow_up') as follow_up,
      count(*) filter (where i.outcome = 'violation') as violation,
      percentile_cont(0.5) within group (order by extract(epoch from i.closed_at - i.created_at) / 3600) as median_hours
    from items i where i.closed_at >= since group by 1
  ), gone_through as (
    select w.week, sum(w.messages)::bigint as messages from private.review_weeks w
    where w.week >= oldest and (review_figures.leader_id is null or w.leader_id in (select l.id from line l))
    group by 1
  )
  select s.week::date, coalesce(g.messages, 0), coalesce(c.lexicon, 0), coalesce(c.sample, 0), coalesce(c.report, 0),
    coalesce(d.items, 0), coalesce(d.fine, 0), coalesce(d.follow_up, 0), coalesce(d.violation, 0),
    round(d.median_hours::numeric, 1),
    (
      (select count(*) from items i where i.closed_at is null)
      + sum(coalesce(d.items, 0) - coalesce(c.items, 0)) over (order by s.week desc) - coalesce(d.items, 0) + coalesce(c.items, 0)
    )::bigint
  from generate_series(oldest, newest, interval '7 days') s (week)
  left join gone_through g on g.week = s.week
  left join came c on c.week = s.week
  left join went d on d.week = s.week
  order by s.week desc;
end
$$;

create or replace function private.archive_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'archive', null, judged[1], judged[2], jsonb_build_object(
    'since', case judged[2] when 'unsealed' then r.recorded_at when 'unreviewed' then s.sealed_at end,
    'count', case when judged[2] = 'broken' then c.result -> 'findings' end,
    'at', c.checked_at
  )
  from (select) as always
  left join lateral (
    select a.recorded_at from archive.records a where a.seq > coalesce((archive.last_seal()).to_seq, 0) order by a.seq limit 1
  ) r on true
  left join lateral (
    select n.sealed_at from private.review_worker w join archive.seals n on n.number > w.seal order by n.number limit 1
  ) s on true
  left join private.system_checks c on c.part = 'archive'
  cross join lateral (
    select private.system_grade('archive', private.seconds_since(r.recorded_at)) as by_age,
      private.system_grade('archive', private.seconds_since(s.sealed_at)) as by_review
  ) g
  cross join lateral (
    select case
      when (c.result ->> 'findings')::bigint > 0 then array['wrong', 'broken']
      when g.by_age <> 'fine' then array[g.by_age, 'unsealed']
      when g.by_review <> 'fine' then array[g.by_review, 'unreviewed']
      else array['fine', 'sealed']
    end as judged
  ) j
$$;

create or replace function private.system_reason(finding private.system_finding, is_spanish boolean) returns text
language sql immutable set search_path = ''
as $$
  select format(case when is_spanish then es else en end, figure)
  from (select
    case
      when finding.part = 'mail' then coalesce('mail ' || (finding.detail ->> 'problem'), 'mail waiting')
      when finding.detail ? 'status' and finding.detail ->> 'status' is not null then 'push refused'
      else regexp_replace(finding.part, '^(push|disk)_(?!queue).*', '\1') || ' ' || finding.code
    end as key,
    coalesce(
      finding.detail ->> 'status', finding.detail ->> 'used_percent', finding.detail ->> 'days', finding.detail ->> 'count', ''
    ) as figure
  ) f
  join (values
    ('mail login', 'the mail server doesn''t accept the login', 'el servidor de correo no acepta el acceso'),
    ('mail certificate', 'the mail server''s certificate is invalid', 'el certificado del servidor de correo no es válido'),
    ('mail encryption', 'the mail server doesn''t offer the encryption', 'el servidor de correo no ofrece el cifrado'),
    ('mail unreachable', 'the mail server can''t be reached', 'no se puede llegar al servidor de correo'),
    ('mail refused', 'the mail server refuses them', 'el servidor de correo los rechaza'),
    ('mail waiting', 'some have been waiting for more than ten minutes', 'algunos esperan desde hace más de diez minutos'),
    ('push failing', 'none arrives', 'no llega ninguna'),
    ('push refused', 'none arrives, the push service answered %s', 'no llega ninguna, el servicio de avisos respondió %s'),
    ('push_queue late', 'some have been waiting for a quarter of an hour', 'algunas esperan desde hace un cuarto de hora'),
    ('disk full', '%s %% full', 'ocupado al %s %%'),
    ('disk unreachable', 'the folder can''t be reached', 'no se puede llegar a la carpeta'),
    ('disk read_only', 'the server may not write there', 'el servidor no puede escribir ahí'),
    ('archive unsealed', 'records have been waiting for their seal for an hour', 'hay registros que esperan su sello desde hace una hora'),
    ('archive unreviewed', 'messages have been waiting for an hour to be checked for the review', 'hay mensajes que esperan desde hace una hora a que se revisen'),
    ('archive broken', 'the verification found problems (%s)', 'la verificación encontró problemas (%s)'),
    ('certificate expiring', 'it expires in %s days', 'vence en %s días'),
    ('certificate expired', 'it expired', 'venció'),
    ('certificate name', 'it is for another address', 'es de otra dirección'),
    ('certificate untrusted', 'browsers don''t trust it', 'los navegadores no confían en él'),
    ('process busy', 'it has more to do than it can', 'tiene más trabajo del que puede hacer'),
    ('restarts crashed', '%s ended by themselves within an hour', '%s terminaron solos en una hora'),
    ('restarts missing', '%s can''t be started', 'no arrancan: %s'),
    ('database slow', 'it takes too long to answer', 'tarda demasiado en responder'),
    ('database away', 'it takes too long to answer', 'tarda demasiado en responder'),
    ('clock off', 'server and database don''t agree on the time', 'el servidor y la base de datos no tienen la misma hora')
  ) words (key, en, es) using (key)
$$;

comment on function public.review_figures(integer,pg_catalog.uuid) is 'For supervisors: the figures of the latest weeks, for the written record of supervision; of everybody, or of what is written in the line of a leader.';

comment on function public.review_new_messages(integer) is 'For servers, about once a minute after seal_archive: queues what the lexicon catches and the sample draws. Call it again while it is not done, unless another call is busy with it.';

comment on column private.review_items.of_week is 'Set when it was drawn as the week ended, since the sample had drawn nothing else of that leader''s people.';

comment on column private.review_weeks.is_covered is 'At least one of these messages was drawn.';

comment on column private.review_weeks.spare_seq is 'Until then, the record with the lowest draw: reviewed once the week has ended. None where nothing is to be drawn.';

comment on column private.review_worker.part_seq is 'The last record that was gone through of the seal after that one.';

comment on table private.review_weeks is 'How many messages were gone through, by the Monday of their week in the team''s time zone and the nearest leader above who wrote them.';

alter table private.review_weeks add constraint review_weeks_key UNIQUE NULLS NOT DISTINCT (week, leader_id);

revoke execute on function private.author_sampling(uuid,numeric) from public;

revoke execute on function private.is_drawn(bigint,numeric) from public;

revoke execute on function private.record_queued(private.review_items[]) from public;

revoke execute on function private.review_part(archive.seals,bigint,text,numeric) from public;

revoke execute on function private.review_spares(date,integer) from public;

revoke execute on function private.sample_draw(bigint,text) from public;

revoke execute on function public.review_figures(integer,uuid) from anon;

revoke execute on function public.review_figures(integer,uuid) from public;

revoke execute on function public.review_figures(integer,uuid) from service_role;

revoke execute on function public.review_item(uuid) from anon;

revoke execute on function public.review_item(uuid) from public;

revoke execute on function public.review_item(uuid) from service_role;

comment on function public.review_item(pg_catalog.uuid) is 'For supervisors: one item with its notes and decisions; nothing if somebody else has to review it.';
