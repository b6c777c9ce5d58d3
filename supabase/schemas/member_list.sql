-- The admins' view of who belongs to the team: a list to search and filter, and everything about one member.

-- The last sign of life: a session that was refreshed, or a sign-in.
create function private.last_active_at(member_id uuid) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select greatest(
    (select u.last_sign_in_at from auth.users u where u.id = member_id),
    (select max(coalesce(s.refreshed_at at time zone 'utc', s.updated_at, s.created_at))
     from auth.sessions s where s.user_id = member_id)
  )
$$;

-- `never_opened`: has an account and never signed in. `silent`: signed in before, and not in the last 14 days.
create function private.member_matches(member private.members, filter text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case filter
    when 'admins' then member.is_active and member.role = 'admin'
    when 'never_opened' then member.is_active and private.last_active_at(member.id) is null
    when 'silent' then member.is_active and private.last_active_at(member.id) < now() - interval '14 days'
    when 'suspended' then member.status = 'suspended'
    when 'removed' then member.status = 'removed'
    else member.is_active
  end
$$;

create function public.list_members(
  filter text default 'active', query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, first_name text, last_name text, email text, role text, status text, joined_at timestamptz,
  last_active_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select m.id, m.first_name, m.last_name, m.email, m.role, m.status, m.created_at, private.last_active_at(m.id)
  from private.members m
  where m.status <> 'deleted' and private.member_matches(m, filter)
    and m.searchable like all (private.member_patterns(query))
  order by m.first_name, m.last_name, m.id
  limit least(max_results, 200) offset greatest(skip, 0);
end
$$;
comment on function public.list_members is
  'For admins: a page of members by first name. filter: active, admins, never_opened, silent, suspended or removed.';

create function public.count_members()
returns table (active bigint, admins bigint, never_opened bigint, silent bigint, suspended bigint, removed bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  with seen as materialized (
    select m.status, m.role, private.last_active_at(m.id) as at from private.members m where m.status <> 'deleted'
  )
  select
    count(*) filter (where s.status = 'active'),
    count(*) filter (where s.status = 'active' and s.role = 'admin'),
    count(*) filter (where s.status = 'active' and s.at is null),
    count(*) filter (where s.status = 'active' and s.at < now() - interval '14 days'),
    count(*) filter (where s.status = 'suspended'),
    count(*) filter (where s.status = 'removed')
  from seen s;
end
$$;
comment on function public.count_members is 'For admins: how many members each filter of list_members finds.';

create function public.member_details(member_id uuid)
returns table (
  id uuid, first_name text, last_name text, email text, role text, status text, status_reason text,
  status_changed_at timestamptz, joined_at timestamptz, last_active_at timestamptz,
  rally_enabled boolean, can_create_chats boolean, can_send_messages boolean,
  is_vice_president boolean, has_second_factor boolean, sessions bigint, devices bigint, groups_led bigint, steps_done bigint, steps_total bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select m.id, m.first_name, m.last_name, m.email, m.role, m.status, m.status_reason, m.status_changed_at, m.created_at,
    private.last_active_at(m.id), m.rally_enabled, m.can_create_chats, m.can_send_messages,
    (select m.id = any (s.vice_presidents) from public.team_settings s),
    private.has_second_factor(m.id),
    (select count(*) from auth.sessions s where s.user_id = m.id),
    (select count(*) from public.push_devices d where d.user_id = m.id),
    (select count(*) from public.chats c where c.created_by = m.id and c.type = 'group' and c.is_active),
    (select count(*) from public.onboarding_progress p
     join public.newrepstart_content i on i.id = p.item_id and i.is_active where p.user_id = m.id),
    (select count(*) from public.newrepstart_content i where i.is_active)
  from private.members m
  where m.id = member_details.member_id and m.status <> 'deleted';
end
$$;
comment on function public.member_details is 'For admins: one member, with what they use and lead.';

revoke execute on function
  public.list_members(text, text, integer, integer), public.count_members(), public.member_details(uuid)
from public, anon, service_role;
grant execute on function
  public.list_members(text, text, integer, integer), public.count_members(), public.member_details(uuid)
to authenticated;
revoke execute on all functions in schema private from public;
