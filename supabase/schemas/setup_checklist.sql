-- The first days of a team: what an admin still has to set up. Every item is judged by what is true in the database; what
-- it cannot know is confirmed by an admin.

create table private.setup_confirmations (
  item text primary key,
  confirmed_by uuid references private.members (id),
  confirmed_at timestamptz not null default now(),
  constraint "Item must be time_zone, mail or backup" check (item in ('time_zone', 'mail', 'backup'))
);
comment on table private.setup_confirmations is 'Set-up items that somebody decided or confirmed as done elsewhere.';
create index setup_confirmations_confirmed_by on private.setup_confirmations (confirmed_by);
alter table private.setup_confirmations enable row level security;
revoke all on private.setup_confirmations from anon, authenticated, service_role;

create table private.setup_put_away (
  user_id uuid primary key references private.members (id) on delete cascade,
  put_away_at timestamptz not null default now()
);
comment on table private.setup_put_away is 'Admins who put the set-up list away.';
alter table private.setup_put_away enable row level security;
revoke all on private.setup_put_away from anon, authenticated, service_role;

-- The zone a team starts with is nobody's decision. Saving one is, even the same.
create function private.confirm_time_zone() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.setup_confirmations (item, confirmed_by)
  values ('time_zone', (select m.id from private.members m where m.id = (select auth.uid())))
  on conflict (item) do update set confirmed_by = excluded.confirmed_by, confirmed_at = now();
  return null;
end
$$;
create trigger confirm_time_zone after update of time_zone on public.team_settings
  for each row execute function private.confirm_time_zone();

-- A server that reports knows better than anybody's word.
create function private.set_up_by_report(part text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (private.system_part(part)).is_on,
    exists (select from private.setup_confirmations c where c.item = part)
  )
$$;

create function public.setup_checklist()
returns table (
  welcome boolean, vice_presidents boolean, time_zone boolean, meeting boolean, new_rep_start boolean,
  invitations boolean, second_admin boolean, mail boolean, push boolean, backup boolean,
  confirmable text[], is_put_away boolean
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select
    exists (select from public.home_content i where i.is_active),
    exists (select from public.vice_presidents()),
    exists (select from private.setup_confirmations c where c.item = 'time_zone'),
    exists (select from public.schedule_content i where i.is_active),
    exists (select from public.newrepstart_content i where i.is_active),
    exists (select from public.join_links) or exists (select from public.invitations)
      or (select count(*) > 1 from (select from private.members limit 2) as people),
    (select count(*) > 1 from (
      select from private.members m where m.role = 'admin' and m.is_active limit 2
    ) as admins),
    private.set_up_by_report('mail'),
    exists (select from public.push_channels c where c.is_on),
    private.set_up_by_report('backup'),
    array(
      select part from unnest(array['mail', 'backup']) part where private.system_part(part) is null
    ),
    exists (select from private.setup_put_away a where a.user_id = (select auth.uid()));
end
$$;
comment on function public.setup_checklist is
  'For admins: which parts of the set-up are done. confirmable: those that only an admin can know, with confirm_setup_item.';

create function public.confirm_setup_item(item text, is_done boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  if item not in ('mail', 'backup') then
    raise exception 'This item is done by doing it' using errcode = '22023';
  end if;
  if is_done then
    insert into private.setup_confirmations (item, confirmed_by) values (confirm_setup_item.item, (select auth.uid()))
    on conflict do nothing;
  else
    delete from private.setup_confirmations c where c.item = confirm_setup_item.item;
  end if;
end
$$;
comment on function public.confirm_setup_item is 'For admins: says that mail or backups are set up elsewhere, or takes that back.';

create function public.put_setup_away(is_away boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  if is_away then
    insert into private.setup_put_away (user_id) values ((select auth.uid())) on conflict do nothing;
  else
    delete from private.setup_put_away a where a.user_id = (select auth.uid());
  end if;
end
$$;
comment on function public.put_setup_away is 'For admins: puts their set-up list away, or fetches it again.';

revoke execute on function
  public.setup_checklist(), public.confirm_setup_item(text, boolean), public.put_setup_away(boolean)
from public, anon, service_role;
grant execute on function
  public.setup_checklist(), public.confirm_setup_item(text, boolean), public.put_setup_away(boolean)
to authenticated;
revoke execute on all functions in schema private from public;
