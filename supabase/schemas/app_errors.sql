-- Uncaught errors of the app on members' devices, so that its operators learn of faults that nobody reports. The text of an
-- error may quote what somebody wrote, so it is not reported: only its kind, the places in the app's own files, the screen and
-- the browser. The member is not stored either.

create table private.app_errors (
  kind text not null,
  places text[] not null,
  screen text not null,
  browser text not null,
  reports integer not null default 1,
  began_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  logged_at timestamptz,
  primary key (kind, places, screen, browser)
);
comment on table private.app_errors is 'Uncaught errors of the app, the latest hundred. Without their texts and without their members.';
alter table private.app_errors enable row level security;
revoke all on private.app_errors from anon, authenticated, service_role;

create table private.app_error_reports (
  user_id uuid primary key references auth.users (id) on delete cascade,
  reports integer not null default 1,
  since timestamptz not null default now()
);
comment on table private.app_error_reports is 'How many errors a member''s devices reported lately, for rate limiting.';
alter table private.app_error_reports enable row level security;
revoke all on private.app_error_reports from anon, authenticated, service_role;

-- Only what an error of the app looks like, so that a report carries no words of somebody's own.
create function private.is_app_error(kind text, places text[], screen text, browser text) returns boolean
language sql immutable set search_path = ''
as $$
  select coalesce(
    kind ~ '^([A-Z][A-Za-z]{0,30})?(Error|Exception)$'
    and array_ndims(places) = 1 and cardinality(places) between 1 and 5
    and (select bool_and(coalesce(place ~ '^[A-Za-z0-9_.-]{1,80}\.(js|tsx?):[0-9]{1,7}:[0-9]{1,7}$', false)) from unnest(places) place)
    and screen ~ '^(/|(/[a-z0-9:-]{1,40}){1,6})$'
    and browser ~ '^(Chrome|Edge|Firefox|Safari|Samsung Internet|Other)( [0-9]{1,4})?( on (Android|iOS|Windows|macOS|Linux|ChromeOS))?$',
    false
  )
$$;

create function public.report_app_error(kind text, places text[], screen text, browser text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most_an_hour constant integer := 20;
  reported integer;
begin
  if not private.is_member() or not (select s.app_errors_enabled from public.team_settings s)
    or not private.is_app_error(kind, places, screen, browser)
  then
    return;
  end if;
  insert into private.app_error_reports as known (user_id) values ((select auth.uid()))
  on conflict (user_id) do update set
    reports = case when known.since < now() - interval '1 hour' then 1 else least(known.reports + 1, most_an_hour + 1) end,
    since = case when known.since < now() - interval '1 hour' then now() else known.since end
  returning reports into reported;
  if reported > most_an_hour then
    return;
  end if;
  insert into private.app_errors as known (kind, places, screen, browser)
  values (report_app_error.kind, report_app_error.places, report_app_error.screen, report_app_error.browser)
  on conflict on constraint app_errors_pkey do update set reports = least(known.reports + 1, 1000000), last_at = now();
  delete from private.app_errors e where (e.kind, e.places, e.screen, e.browser) in (
    select old.kind, old.places, old.screen, old.browser from private.app_errors old order by old.last_at desc, old.began_at offset 100
  );
end
$$;
comment on function public.report_app_error is
  'Reports an uncaught error of the app, without its text. Does nothing when it is not one, when the team has turned it off, and after 20 an hour.';

create function public.app_error_list() returns table (
  kind text, places text[], screen text, browser text, reports integer, began_at timestamptz, last_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select e.kind, e.places, e.screen, e.browser, e.reports, e.began_at, e.last_at
  from private.app_errors e order by e.last_at desc;
end
$$;
comment on function public.app_error_list is 'For admins: the latest hundred uncaught errors of the app, the latest first.';

-- Each at most once an hour, by the process that asks first. No more at once than the log takes of one kind.
create function public.take_app_errors() returns table (
  kind text, places text[], screen text, browser text, reports integer
)
language sql volatile security definer set search_path = ''
as $$
  update private.app_errors e set logged_at = now()
  where (e.kind, e.places, e.screen, e.browser) in (
    select due.kind, due.places, due.screen, due.browser from private.app_errors due
    where due.logged_at is null or due.logged_at < least(due.last_at, now() - interval '1 hour')
    order by due.last_at desc limit 10
    for update skip locked
  )
  returning e.kind, e.places, e.screen, e.browser, e.reports
$$;
comment on function public.take_app_errors is 'For servers: the errors of the app that are to be written to the log now.';

revoke execute on function
  public.report_app_error(text, text[], text, text), public.app_error_list(), public.take_app_errors()
from public, anon, authenticated, service_role;
grant execute on function public.report_app_error(text, text[], text, text), public.app_error_list() to authenticated;
grant execute on function public.take_app_errors() to service_role;
revoke execute on all functions in schema private from public;
