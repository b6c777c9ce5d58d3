-- Settings of the whole team: one row, read by members, changed by admins.

create function private.are_domains(names text[]) returns boolean
language sql immutable set search_path = ''
as $$
  select bool_and(coalesce(
    char_length(name) <= 253 and name ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$', false
  ))
  from unnest(names) name
$$;

create table public.team_settings (
  id boolean primary key default true,
  time_zone text not null default 'America/New_York',
  seen_by_enabled boolean not null default true,
  app_errors_enabled boolean not null default true,
  admins_need_second_factor boolean not null default false,
  vice_presidents uuid[] not null default '{}',
  registration text not null default 'approval',
  email_domains text[] not null default '{}',
  constraint "Registration must be open, approval or invitation"
    check (registration in ('open', 'approval', 'invitation')),
  constraint "At most 50 e-mail domains" check (cardinality(email_domains) <= 50),
  constraint "E-mail domains look like example.com" check (private.are_domains(email_domains)),
  constraint "There is one row of team settings" check (id),
  constraint "At most 10 vice presidents" check (cardinality(vice_presidents) <= 10)
);
comment on table public.team_settings is 'One row of settings shared by everybody.';
comment on column public.team_settings.time_zone is 'IANA name; the times of schedule_content are local to it.';
comment on column public.team_settings.seen_by_enabled is 'Whether a thread shows who has read a message.';
comment on column public.team_settings.app_errors_enabled is 'Whether devices report uncaught errors of the app.';
comment on column public.team_settings.admins_need_second_factor is
  'Whether admin rights hold only in sessions that have shown a second factor (aal2).';
comment on column public.team_settings.vice_presidents is 'Members, in the order in which Home names them.';
comment on column public.team_settings.registration is
  'open: whoever confirms an address is on the team. approval: an admin lets them in. invitation: only with a join link or an invitation by mail.';
comment on column public.team_settings.email_domains is
  'Lower-case domains, the only ones whose addresses may join without an invitation by mail; empty: all.';

insert into public.team_settings default values;

alter table public.team_settings enable row level security;
revoke all on public.team_settings from anon, authenticated, service_role;
grant select, update on public.team_settings to service_role;
grant select, update (time_zone, seen_by_enabled, app_errors_enabled, admins_need_second_factor, registration, email_domains) on public.team_settings to authenticated;

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
create function private.require_proof_for_admission() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_recent_proof();
  return new;
end
$$;
create trigger require_recent_proof before update of registration, email_domains, admins_need_second_factor on public.team_settings
  for each row execute function private.require_proof_for_admission();
create trigger publish_content after update on public.team_settings
  for each statement execute function private.publish_content();

-- Who is suspended or left is not named; their place is kept.
create function public.vice_presidents() returns table (id uuid, first_name text, last_name text)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name
  from public.team_settings s
  cross join unnest(s.vice_presidents) with ordinality as chosen (member_id, place)
  join private.members m on m.id = chosen.member_id and m.is_active
  where (select private.is_member())
  order by chosen.place
$$;
comment on function public.vice_presidents is 'The vice presidents whom the admins chose, in their order.';

create function public.set_vice_president(member_id uuid, is_vice_president boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  if is_vice_president and not exists (select from private.members m where m.id = member_id and m.is_active) then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  end if;
  update public.team_settings s
  set vice_presidents = case
    when not is_vice_president then array_remove(s.vice_presidents, member_id)
    -- Who is suspended keeps their place as long as nobody else needs it.
    when cardinality(s.vice_presidents) >= 10 then array(
      select m.id from unnest(s.vice_presidents) with ordinality as chosen (member_id, place)
      join private.members m on m.id = chosen.member_id and m.is_active order by chosen.place
    ) || member_id
    else s.vice_presidents || member_id
  end
  where is_vice_president <> (member_id = any (s.vice_presidents));
exception
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.set_vice_president is 'For admins: adds a member at the end of the vice presidents, or takes them out.';

-- Those who are not in the list, because they are suspended or were chosen a moment ago, keep their places.
create function public.order_vice_presidents(member_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  chosen uuid[];
  ordered uuid[];
begin
  perform private.assert_admin();
  if cardinality(member_ids) > 10 then
    raise exception 'At most 10 vice presidents' using errcode = '22023';
  end if;
  select s.vice_presidents into chosen from public.team_settings s for update;
  with places as (
    select place, member_id, row_number() over (partition by member_id = any (member_ids) order by place) as nth,
      member_id = any (member_ids) as moves
    from unnest(chosen) with ordinality as c (member_id, place)
  ), moving as (
    select c.member_id, row_number() over (order by array_position(member_ids, c.member_id)) as nth
    from unnest(chosen) as c (member_id) where c.member_id = any (member_ids)
  )
  select array_agg(coalesce(moving.member_id, places.member_id) order by places.place) into ordered
  from places left join moving on places.moves and moving.nth = places.nth;
  update public.team_settings s set vice_presidents = ordered where ordered <> s.vice_presidents;
end
$$;
comment on function public.order_vice_presidents is 'For admins: Home names these vice presidents in this order.';

revoke execute on function
  public.vice_presidents(), public.set_vice_president(uuid, boolean), public.order_vice_presidents(uuid[])
from public, anon, service_role;
grant execute on function
  public.vice_presidents(), public.set_vice_president(uuid, boolean), public.order_vice_presidents(uuid[])
to authenticated;
revoke execute on all functions in schema private from public;
-- A check runs as the writer of the row.
grant execute on function private.are_domains(text[]) to authenticated, service_role;
