-- Which push notifications a member wants, and when. No row means all of them, at any time.

create table public.notification_settings (
  user_id uuid primary key default auth.uid() references private.members (id) on delete cascade,
  messages boolean not null default true,
  mentions boolean not null default true,
  notices boolean not null default true,
  quiet_from time,
  quiet_to time,
  time_zone text,
  mentions_pass_quiet boolean not null default true,
  constraint "Quiet hours have a beginning and an end" check ((quiet_from is null) = (quiet_to is null)),
  constraint "Quiet hours must not be empty" check (quiet_from <> quiet_to)
);
comment on table public.notification_settings is 'A member''s own choice of push notifications. Urgent notices always get through.';
comment on column public.notification_settings.quiet_from is 'Local time; push waits from then until quiet_to.';
comment on column public.notification_settings.time_zone is 'IANA name; null means the team''s.';

alter table public.notification_settings enable row level security;
revoke all on public.notification_settings from anon, authenticated;
grant select, insert, update on public.notification_settings to authenticated;
create policy "members read their own settings" on public.notification_settings
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "members make their own settings" on public.notification_settings
  for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "members change their own settings" on public.notification_settings
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()))
  with check (user_id = (select auth.uid()) and (select private.is_member()));

create function private.check_optional_time_zone() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.time_zone is not null and not exists (
    select from pg_catalog.pg_timezone_names z where z.name = new.time_zone
  ) then
    raise exception 'Time zone must be a name such as America/New_York' using errcode = '23514';
  end if;
  return new;
end
$$;
create trigger check_time_zone before insert or update of time_zone on public.notification_settings
  for each row execute function private.check_optional_time_zone();

-- The end of the quiet hours that contain `at`; null outside of them.
create function private.quiet_until(user_id uuid, at timestamptz) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select case
    when s.quiet_from < s.quiet_to and l.time >= s.quiet_from and l.time < s.quiet_to
      then (l.day + s.quiet_to) at time zone l.zone
    when s.quiet_from > s.quiet_to and l.time >= s.quiet_from
      then (l.day + 1 + s.quiet_to) at time zone l.zone
    when s.quiet_from > s.quiet_to and l.time < s.quiet_to
      then (l.day + s.quiet_to) at time zone l.zone
  end
  from public.notification_settings s
  cross join lateral (
    select z.zone, (at at time zone z.zone)::time as time, (at at time zone z.zone)::date as day
    from (select coalesce(s.time_zone, (select t.time_zone from public.team_settings t)) as zone) z
  ) l
  where s.user_id = quiet_until.user_id
$$;

revoke execute on all functions in schema private from public;
