-- How supervisors read the queue and set it up.

create function private.member_name(member_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select private.display_name(m.first_name, m.last_name, m.email) from private.members m where m.id = member_id
$$;

-- A group by its name; a chat of two by both names.
create function private.chat_title(chat_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when c.type <> 'individual' then c.name
    else (
      select string_agg(private.member_name(p.user_id), ', ' order by p.joined_at, p.user_id)
      from private.chat_participants p where p.chat_id = c.id
    )
  end
  from public.chats c where c.id = chat_title.chat_id
$$;

-- A file that was sent without words goes by its name.
create function private.words_to_review(content json) returns text
language sql immutable
return coalesce(nullif(content ->> 'text', ''), content -> 'attachment' ->> 'name');

-- Open items by urgency, then the oldest first; closed ones the latest first. The next page begins after the time and id of
-- the last, whose source does not change.
create function public.review_queue(
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
comment on function public.review_queue is
  'For supervisors: a page of the queue. state: open, mine or closed. What the caller wrote or reported is left out.';

create function public.review_counts()
returns table (open bigint, mine bigint, lexicon bigint, sample bigint, report bigint, for_others bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  return query
  select count(*) filter (where r.may), count(*) filter (where r.may and r.assigned_to = (select auth.uid())),
    count(*) filter (where r.may and r.source = 'lexicon'), count(*) filter (where r.may and r.source = 'sample'),
    count(*) filter (where r.may and r.source = 'report'), count(*) filter (where not r.may)
  from (
    select i.source, i.assigned_to, private.may_review(i) as may from private.review_items i where i.closed_at is null
  ) r;
end
$$;
comment on function public.review_counts is
  'For supervisors: how many items are open for the caller; for_others wait for somebody else, since they concern the caller.';

-- No further than a badge shows.
create function public.reviews_waiting() returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.assert_supervisor();
  return (
    select count(*) from (
      select from private.review_items i
      where i.closed_at is null
        and (
          i.assigned_to is null or i.assigned_to = me
          -- Nobody would see what was given to somebody who no longer supervises.
          or not exists (select from private.members m where m.id = i.assigned_to and m.can_supervise and m.is_active)
        )
        and i.member_id <> me and i.reporter_id is distinct from me
      limit 100
    ) waiting
  );
end
$$;
comment on function public.reviews_waiting is
  'For supervisors: how many open items are given to the caller or to nobody who supervises; 100 stands for all above 99.';

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
        'actor', private.member_name(e.actor_id), 'assignee', private.member_name(e.assignee_id),
        'is_own', e.assignee_id = e.actor_id
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
comment on function public.review_item is 'For supervisors: one item with its notes and decisions; nothing if somebody else has to review it.';

create function public.review_sampling()
returns table (leader_id uuid, leader_name text, percent numeric)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  return query
  select null::uuid, null::text, w.percent from private.review_worker w
  union all
  (
    select s.leader_id, private.member_name(s.leader_id), s.percent from private.review_sampling s order by 2, 1 limit 500
  );
end
$$;
comment on function public.review_sampling is 'For supervisors: the share of messages drawn at random, of the team (no leader) and in the line of leaders.';

create function public.set_review_sampling(percent numeric, leader_id uuid default null) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_supervisor();
  perform private.require_recent_proof();
  if leader_id is null then
    update private.review_worker set percent = set_review_sampling.percent;
  elsif percent is null then
    delete from private.review_sampling s where s.leader_id = set_review_sampling.leader_id;
  else
    if not exists (select from private.members m where m.id = set_review_sampling.leader_id and m.is_active) then
      raise exception 'Choose somebody who is on the team' using errcode = '22023';
    end if;
    insert into private.review_sampling (leader_id, percent)
    values (set_review_sampling.leader_id, set_review_sampling.percent)
    on conflict on constraint review_sampling_pkey do update set percent = excluded.percent;
  end if;
exception
  when check_violation or not_null_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.set_review_sampling is
  'For supervisors: how many percent of the team''s messages are drawn, or of those from the line of a leader; null ends a leader''s own share.';

-- By the Monday of the week in the team's time zone: caught when it came into the queue, reviewed when it was closed. Without
-- the items that concern the caller. Who was above whom is as of when a message was gone through, which leaders are in a line
-- as of today, those who left the team included. Reads no further back than it is asked for: what was open is counted from
-- what is open now.
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
comment on function public.review_figures is
  'For supervisors: the figures of the latest weeks, for the written record of supervision; of everybody, or of what is written in the line of a leader.';

revoke execute on function
  public.review_queue, public.review_counts, public.reviews_waiting, public.review_item, public.review_sampling, public.set_review_sampling,
  public.review_figures
from public, anon, service_role;
grant execute on function
  public.review_queue, public.review_counts, public.reviews_waiting, public.review_item, public.review_sampling, public.set_review_sampling,
  public.review_figures
to authenticated;
revoke execute on all functions in schema private from public;
