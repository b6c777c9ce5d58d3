-- The figures of the admin dashboard, in one call. None of them grows dearer with the team's history.

create index members_by_admission on private.members (admitted_at) where is_active;
create index notice_receipts_unacknowledged on public.notice_receipts (notice_id) where acknowledged_at is null;
create index push_deliveries_failed on private.push_deliveries (finished_at) where state in ('failed', 'uncertain');

-- Members who joined in the last 90 days. Admins and vice presidents are no new reps.
create function private.new_reps() returns setof private.members
language sql stable security definer set search_path = '' rows 300
as $$
  select m.*
  from private.members m
  where m.is_active and m.role = 'user' and m.admitted_at > now() - interval '90 days'
    and m.id <> all (array(select unnest(s.vice_presidents) from public.team_settings s))
$$;

-- New reps who stopped: joined at least 7 days ago, have steps of New Rep Start left and did none for a week.
create function private.stuck_members() returns setof uuid
language sql stable security definer set search_path = '' rows 100
as $$
  with steps as materialized (
    select array_agg(i.id) as ids from public.newrepstart_content i where i.is_active
  )
  select m.id
  from steps
  cross join private.new_reps() m
  cross join lateral (
    select count(*) as done, max(p.done_at) as latest
    from public.onboarding_progress p where p.user_id = m.id and p.item_id = any (steps.ids)
  ) progress
  where m.admitted_at <= now() - interval '7 days'
    and progress.done < cardinality(steps.ids)
    and coalesce(progress.latest <= now() - interval '7 days', true)
$$;

-- Notices of the last 90 days that a member has yet to acknowledge.
create function private.unacknowledged_notices() returns setof public.team_notices
language sql stable security definer set search_path = '' rows 20
as $$
  select n.* from public.team_notices n
  where n.must_acknowledge and n.cancelled_at is null and n.published_at > now() - interval '90 days'
    and exists (
      select from public.notice_receipts r join private.members m on m.id = r.user_id and m.is_active
      where r.notice_id = n.id and r.acknowledged_at is null
    )
$$;

create function public.unacknowledged_notices() returns setof public.team_notices
language plpgsql stable security definer set search_path = '' rows 20
as $$
begin
  perform private.assert_admin();
  return query select * from private.unacknowledged_notices();
end
$$;
comment on function public.unacknowledged_notices is
  'For admins: notices of the last 90 days that somebody has yet to acknowledge.';

-- The meeting that runs, or the next to start.
create function private.next_meeting(at timestamptz, out title text, out starts_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select i.title, (here.today + due.days + i.start_time) at time zone s.time_zone
  from public.team_settings s
  cross join lateral (
    select (at at time zone s.time_zone)::date as today, (at at time zone s.time_zone)::time as clock
  ) here
  cross join public.schedule_content i
  cross join lateral (
    select (
      array_position(array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'], i.day_of_week)
      - extract(isodow from here.today)::int + 7
    ) % 7 as days
  ) wait
  cross join lateral (
    select case when wait.days = 0 and i.end_time <= here.clock then 7 else wait.days end as days
  ) due
  where i.is_active
  order by 2, i.sort_order, i.id
  limit 1
$$;

create function public.admin_dashboard()
returns table (
  waiting bigint, new_this_week bigint, stuck bigint, unacknowledged_notices bigint,
  next_meeting_title text, next_meeting_at timestamptz, broken_links bigint,
  system_problems bigint, system_wrong text[], undelivered_invitations bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select
    (select count(*) from private.members m where m.status = 'waiting'),
    (select count(*) from private.members m where m.is_active and m.admitted_at > now() - interval '7 days'),
    (select count(*) from private.stuck_members()),
    (select count(*) from private.unacknowledged_notices()),
    meeting.title, meeting.starts_at,
    case when (private.system_part('links')).is_on then (
      select count(*) from private.link_checks c
      join private.content_links l on private.link_id(l.url) = c.link
      where c.state = 'broken'
    ) end,
    system.problems, system.wrong,
    (
      select count(*) from public.invitations i
      where i.bounced_at is not null and i.accepted_at is null and i.revoked_at is null
    )
  from private.next_meeting(now()) meeting
  cross join (
    select count(*) filter (where f.state in ('wrong', 'attention')) as problems,
      coalesce(array_agg(distinct f.part) filter (where f.state = 'wrong'), '{}') as wrong
    from private.system_findings() f
  ) system;
end
$$;
comment on function public.admin_dashboard is
  'For admins: what needs attention. Null where nobody knows: no meeting, links not checked.';

revoke execute on function public.admin_dashboard(), public.unacknowledged_notices() from public, anon, service_role;
grant execute on function public.admin_dashboard(), public.unacknowledged_notices() to authenticated;
revoke execute on all functions in schema private from public;
