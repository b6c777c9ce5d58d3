-- What is fine, what needs attention and what is wrong, judged from what server processes reported and from what the database itself
-- knows. A finding is a code with figures; the app has the words. No finding carries a row, a path or a secret.

create type private.system_finding as (part text, scope text, state text, code text, detail jsonb);

-- The one place of thresholds; docs/operations.md lists them, and a test compares them with deploy/prometheus/alerts.yml. Where wrong is the
-- lower one, less is worse.
create function private.system_thresholds() returns table (name text, attention double precision, wrong double precision)
language sql immutable set search_path = ''
as $$
  values
    ('disk', 0.8, 0.9),
    ('backup', 26 * 3600, 36 * 3600),
    ('archive', 600, 3600),
    ('certificate', 14, 3),
    ('push', 300, 900),
    ('event_loop', 0.2, 1),
    ('database', 0.5, 2),
    ('clock', 5, 60),
    ('crashes', 0, 4)
$$;

create function private.system_grade(name text, figure double precision) returns text
language sql immutable set search_path = ''
as $$
  select case
    when figure is null then null
    when case when t.wrong < t.attention then figure < t.wrong else figure > t.wrong end then 'wrong'
    when case when t.wrong < t.attention then figure < t.attention else figure > t.attention end then 'attention'
    else 'fine'
  end
  from private.system_thresholds() t where t.name = system_grade.name
$$;

-- Only where there are several machines does a name say more than "the server".
create function private.has_several_machines() returns boolean
language sql stable security definer set search_path = ''
as $$ select count(distinct p.facts ->> 'host') > 1 from private.live_processes() p $$;

create function private.seconds_since(moment timestamptz) returns double precision
language sql stable set search_path = ''
as $$ select extract(epoch from now() - moment)::double precision $$;

-- The processes share one mailbox and one queue of mails, so the latest word counts.
create function private.mail_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'mail', null, judged[1], judged[2], case judged[2]
    when 'late' then jsonb_build_object('count', mail -> 'late', 'since', mail -> 'oldest_at', 'problem', coalesce(mail ->> 'problem', mail ->> 'connection_problem'))
    when 'given_up' then jsonb_build_object('count', mail -> 'given_up')
    when 'unusable' then jsonb_build_object('problem', mail -> 'connection_problem')
    else '{}'
  end
  from (select) as always
  left join lateral (
    select p.facts -> 'mail' as mail, coalesce((p.facts ->> 'is_demo')::boolean, false) as is_demo
    from private.live_processes() p where p.facts ? 'mail' order by p.reported_at desc limit 1
  ) latest on true
  cross join lateral (
    select case
      when mail is null then array['unwatched', 'elsewhere']
      when (mail ->> 'late')::int > 0 then array['wrong', 'late']
      when not (mail ->> 'is_on')::boolean and is_demo then array['fine', 'demo']
      when not (mail ->> 'is_on')::boolean then array['attention', 'off']
      when mail ->> 'connection_problem' is not null then array['wrong', 'unusable']
      when (mail ->> 'given_up')::int > 0 then array['attention', 'given_up']
      else array['fine', 'on']
    end as judged
  ) j
$$;

-- Of the last hour, the latest 2,000. A device that is gone is no fault of the channel.
create function private.push_findings() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 4
as $$
  with recent as materialized (
    select d.channel, d.state <> 'sent' as is_failed, d.reason, d.finished_at
    from private.push_deliveries d
    where d.finished_at > now() - interval '1 hour' and (
      d.state = 'sent' or d.state in ('failed', 'uncertain') and d.device_id is not null and d.reason is distinct from 'channel is off'
    )
    order by d.finished_at desc limit 2000
  ), figures as (
    select r.channel, count(*) filter (where not is_failed) as sent, count(*) filter (where is_failed) as failed,
      min(r.finished_at) filter (where is_failed) as since,
      (array_agg(substring(r.reason from '^[45]\d\d\M') order by r.finished_at desc) filter (where is_failed))[1] as status
    from recent r group by 1
  )
  select 'push_' || c.channel, null, judged[1], judged[2], case judged[2]
    when 'failing' then jsonb_build_object('count', f.failed, 'since', f.since, 'status', f.status)
    when 'on' then '{}'
    when 'idle' then '{}'
    -- Only the names of settings; the detail may quote what they hold.
    else jsonb_build_object('settings', array(select m[1] from regexp_matches(c.detail, 'PUSH_[A-Z_]+', 'g') m))
  end
  from public.push_channels c
  left join figures f on f.channel = c.channel
  cross join lateral (
    select case
      when not c.is_on and (c.channel = 'web' or exists (select from public.push_devices d where d.channel = c.channel))
        then array['attention', 'off']
      when not c.is_on then array['fine', 'unused']
      when f.failed >= 3 and f.sent = 0 then array['wrong', 'failing']
      when f.failed > f.sent / 10.0 then array['attention', 'failing']
      when f.sent > 0 then array['fine', 'on']
      else array['fine', 'idle']
    end as judged
  ) j
  union all
  select 'push_queue', null, coalesce(private.system_grade('push', private.seconds_since(since)), 'fine'),
    case when private.system_grade('push', private.seconds_since(since)) <> 'fine' then 'late' else 'empty' end,
    case when private.system_grade('push', private.seconds_since(since)) <> 'fine' then jsonb_build_object('since', since) else '{}' end
  from (select) as always
  left join lateral (
    select least(
      (select min(d.due_at) from private.push_deliveries d where d.state = 'waiting'),
      (select o.created_at from private.push_outbox o where o.spread_at is null order by o.id limit 1)
    ) as since
    where exists (select from public.push_devices)
  ) oldest on true
$$;

-- Processes of one machine see the same disks. Used is what nobody but root may still write.
create function private.disk_findings() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 2
as $$
  select distinct on (disk.name, p.facts ->> 'host') 'disk_' || disk.name, case when (select private.has_several_machines()) then p.facts ->> 'host' end,
    case when disk.is_there and disk.is_writable then private.system_grade('disk', 1 - disk.free / disk.bytes) else 'wrong' end,
    case
      when not disk.is_there then 'unreachable'
      when not disk.is_writable then 'read_only'
      when private.system_grade('disk', 1 - disk.free / disk.bytes) = 'fine' then 'free'
      else 'full'
    end,
    case when disk.is_there and disk.is_writable then jsonb_build_object(
      'free_bytes', disk.free, 'used_percent', floor(100 * (1 - disk.free / disk.bytes))
    ) else '{}' end
  from private.live_processes() p
  cross join lateral (
    select e.key as name, jsonb_typeof(e.value) = 'object' as is_there,
      coalesce((e.value ->> 'is_writable')::boolean, true) as is_writable,
      (e.value ->> 'free_bytes')::double precision as free, nullif((e.value ->> 'bytes')::double precision, 0) as bytes
    from jsonb_each(p.facts -> 'disks') e
  ) disk
  where disk.name in ('data', 'backup') and (disk.bytes is not null or not disk.is_there)
  order by disk.name, p.facts ->> 'host', p.reported_at desc
$$;

create function private.without_places(words text) returns text
language sql immutable set search_path = ''
as $$
  select left(regexp_replace(regexp_replace(words, '[a-zA-Z][a-zA-Z0-9+]*://[^[:space:]]+', '…', 'g'), '[^[:space:]]*[/\\][^[:space:]]*', '…', 'g'), 300)
$$;
comment on function private.without_places is 'A sentence without the paths and addresses in it.';

-- Nightly ones are tried out; of those that somebody makes by hand or by a job of their own, only the time is known.
create function private.backup_finding() returns setof private.system_finding
language sql stable security definer set search_path = '' rows 1
as $$
  select 'backup', null, judged[1], judged[2], jsonb_build_object(
    'at', case when judged[2] = 'own' then own.made_at else s.verified_at end,
    'failed_at', case when judged[2] = 'failed' then s.failed_at end,
    'said', case when judged[2] = 'failed' then private.without_places(s.failure) end,
    'count', case when judged[2] = 'incomplete' then s.missing_files end
  )
  from private.backup_state() s
  left join lateral (
    select bool_or((p.facts #>> '{backup,is_on}')::boolean) as is_on, bool_or((p.facts ->> 'is_demo')::boolean) as is_demo,
      bool_or((p.facts #>> '{disks,backup_shares_disk}')::boolean) as shares_disk
    from private.live_processes() p
  ) live on true
  cross join lateral (
    select greatest(s.verified_at, max(c.checked_at)) as made_at from private.system_checks c where c.part = 'backup'
  ) own
  cross join lateral (
    select private.system_grade('backup', private.seconds_since(s.verified_at)) as by_age,
      private.system_grade('backup', private.seconds_since(own.made_at)) as own_by_age
  ) g
  cross join lateral (
    select case
      when not live.is_on and own.made_at is not null or live.is_on is null and own.made_at > now() - interval '7 days'
        then array[case when g.own_by_age = 'fine' then 'fine' else 'attention' end, 'own']
      when live.is_on is null then array['unwatched', 'elsewhere']
      when not live.is_on and coalesce(live.is_demo, false) then array['fine', 'demo']
      when not live.is_on then array['attention', 'off']
      when s.failed_at is not null then array[case when g.by_age in ('fine', 'attention') then 'attention' else 'wrong' end, 'failed']
      when s.verified_at is null and s.running_since is not null then array['fine', 'first']
      when s.verified_at is null then array['attention', 'none']
      when g.by_age <> 'fine' then array[g.by_age, 'old']
      when s.missing_files > 0 then array['attention', 'incomplete']
      when live.shares_disk then array['attention', 'same_disk']
      else array['fine', 'good']
    end as judged
  ) j
$$;

revoke execute on all functions in schema private from public;
