-- Settings of the whole team: one row, read by members, changed by admins.

create table public.team_settings (
  id boolean primary key default true,
  time_zone text not null default 'America/New_York',
  seen_by_enabled boolean not null default true,
  admins_need_second_factor boolean not null default false,
  constraint "There is one row of team settings" check (id)
);
comment on table public.team_settings is 'One row of settings shared by everybody.';
comment on column public.team_settings.time_zone is 'IANA name; the times of schedule_content are local to it.';
comment on column public.team_settings.seen_by_enabled is 'Whether a thread shows who has read a message.';
comment on column public.team_settings.admins_need_second_factor is
  'Whether admin rights hold only in sessions that have shown a second factor (aal2).';

insert into public.team_settings default values;

alter table public.team_settings enable row level security;
revoke all on public.team_settings from anon, authenticated, service_role;
grant select, update on public.team_settings to service_role;
grant select, update (time_zone, seen_by_enabled, admins_need_second_factor) on public.team_settings to authenticated;

create policy "members read the team's settings" on public.team_settings
  for select to authenticated using ((select private.is_member()));
create policy "admins change the team's settings" on public.team_settings
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

create function private.check_time_zone() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if not exists (select from pg_catalog.pg_timezone_names z where z.name = new.time_zone) then
    raise exception 'Time zone must be a name such as America/New_York' using errcode = '23514';
  end if;
  return new;
end
$$;

create trigger check_time_zone before insert or update of time_zone on public.team_settings
  for each row execute function private.check_time_zone();
create trigger publish_content after update on public.team_settings
  for each statement execute function private.publish_content();

revoke execute on all functions in schema private from public;
