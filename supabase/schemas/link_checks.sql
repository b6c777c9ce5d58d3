-- Whether the links of active content still lead somewhere. A server fetches each once a week (on hosted Supabase nobody does,
-- and the dashboard says so); here is which are due, and what became of them.

create view private.content_links with (security_invoker) as
select 'home' as content_type, id, title, url from public.home_content where is_active and url is not null
union all
select 'training', id, title, url from public.training_content where is_active and url is not null
union all
select 'newrepstart', id, title, url from public.newrepstart_content where is_active and url is not null
union all
select 'licensing', id, title, url from public.licensing_content where is_active and url is not null
union all
select 'schedule', id, title, url from public.schedule_content where is_active and url is not null;
comment on view private.content_links is 'The links that members see, each with its content item.';
revoke all on private.content_links from anon, authenticated, service_role;

create table private.link_checks (
  -- A link may be longer than an index entry.
  link uuid primary key generated always as (md5(url)::uuid) stored,
  url text not null,
  state text not null default 'new',
  problem text,
  failing_since timestamptz,
  checked_at timestamptz,
  next_check_at timestamptz not null default now(),
  constraint "State must be known" check (state in ('new', 'works', 'failing', 'broken', 'skipped'))
);
comment on table private.link_checks is 'One row per address in content: what the latest check found.';
comment on column private.link_checks.state is
  'failing: no answer once, which may be a bad hour. broken: not found, or no answer on two days. skipped: not a public address.';
comment on column private.link_checks.problem is 'An HTTP status, or what failed before there was one: host, connection, certificate, time, redirects.';
create index link_checks_next_check_at on private.link_checks (next_check_at);
alter table private.link_checks enable row level security;
revoke all on private.link_checks from anon, authenticated, service_role;

create function private.link_id(url text) returns uuid
language sql immutable set search_path = ''
as $$ select md5(url)::uuid $$;

-- Claimed for an hour before they are fetched, so that of several processes one fetches each link.
create function public.claim_links(max_results integer default 50) returns setof text
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.link_checks c
  where not exists (select from private.content_links l where private.link_id(l.url) = c.link);
  insert into private.link_checks (url) select distinct l.url from private.content_links l
  on conflict do nothing;
  return query
  with due as (
    select c.link from private.link_checks c where c.next_check_at <= now()
    order by c.next_check_at, c.link limit least(max_results, 200) for update skip locked
  )
  update private.link_checks c set next_check_at = now() + interval '1 hour' from due where c.link = due.link
  returning c.url;
end
$$;
comment on function public.claim_links is 'For the server: links that are due for a check, each returned once.';

-- outcome: works; gone (the site says that there is nothing); failed (no answer, or an error of the site); skipped. A site that
-- refuses strangers (401, 403, 429) works. A server without a way out sees every link fail, so failures count only if some
-- link has answered lately.
create function public.report_links(results jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  is_online boolean;
begin
  update private.link_checks c set
    state = case r.outcome when 'gone' then 'broken' else r.outcome end, problem = left(r.problem, 100),
    failing_since = case when r.outcome = 'gone' then coalesce(c.failing_since, now()) end,
    checked_at = now(),
    next_check_at = now() + case when r.outcome = 'gone' then interval '1 day' else interval '7 days' end
  from jsonb_to_recordset(results) as r (url text, outcome text, problem text)
  where c.link = private.link_id(r.url) and r.outcome in ('works', 'gone', 'skipped');

  select exists (
    select from private.link_checks c
    where c.checked_at > now() - interval '8 days' and (c.state = 'works' or c.problem ~ '^\d{3}$')
  ) or not exists (
    select from private.link_checks c where c.checked_at is not null and c.state <> 'skipped'
  ) and not exists (
    select from jsonb_to_recordset(results) as r (outcome text) where r.outcome = 'failed'
  ) or exists (
    select from jsonb_to_recordset(results) as r (problem text) where r.problem ~ '^\d{3}$'
  ) into is_online;

  update private.link_checks c set
    state = case
      when not is_online then c.state
      when c.failing_since < now() - interval '20 hours' then 'broken'
      when c.state = 'broken' then 'broken'
      else 'failing'
    end,
    problem = left(r.problem, 100),
    failing_since = case when is_online then coalesce(c.failing_since, now()) end,
    checked_at = now(), next_check_at = now() + interval '1 day'
  from jsonb_to_recordset(results) as r (url text, outcome text, problem text)
  where c.link = private.link_id(r.url) and r.outcome = 'failed';

  perform public.report_system_state(jsonb_build_array(jsonb_build_object('part', 'links', 'is_on', is_online)));
end
$$;
comment on function public.report_links is 'For the server: what it found, as an array of { url, outcome, problem }.';

create function public.broken_links()
returns table (content_type text, item_id uuid, title text, url text, problem text, failing_since timestamptz, checked_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select l.content_type, l.id, l.title, l.url, c.problem, c.failing_since, c.checked_at
  from private.link_checks c
  join private.content_links l on private.link_id(l.url) = c.link
  where c.state = 'broken'
  order by c.failing_since, l.title, l.id
  limit 200;
end
$$;
comment on function public.broken_links is 'For admins: content whose link leads nowhere, the oldest problem first.';

-- Pressed twice, it is one check: what was fetched a minute ago stays.
create function public.check_links_again() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  update private.link_checks c set next_check_at = now()
  where c.state in ('broken', 'failing') and c.checked_at < now() - interval '1 minute';
  perform pg_notify('link_checks', '');
end
$$;
comment on function public.check_links_again is 'For admins: has the server fetch the broken links now.';

-- Open dashboards show what a check found.
create function private.publish_link_checks() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from changed_from o join changed_to n using (link)
    where (o.state = 'broken') <> (n.state = 'broken')
  ) then
    perform realtime.send('{"table": "link_checks"}'::jsonb, 'content_changed', 'admins', true);
  end if;
  return null;
end
$$;
create trigger publish_link_checks after update on private.link_checks
  referencing old table as changed_from new table as changed_to
  for each statement execute function private.publish_link_checks();

revoke execute on function public.claim_links(integer), public.report_links(jsonb) from public, anon, authenticated;
grant execute on function public.claim_links(integer), public.report_links(jsonb) to service_role;
revoke execute on function public.broken_links(), public.check_links_again() from public, anon, service_role;
grant execute on function public.broken_links(), public.check_links_again() to authenticated;
revoke execute on all functions in schema private from public;
