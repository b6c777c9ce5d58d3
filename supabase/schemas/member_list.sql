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
-- `new`: came onto the team in the last seven days. `stuck` is for who calls, since it looks at all members at once.
create function private.member_matches(member private.members, filter text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select case filter
    when 'admins' then member.is_active and member.role = 'admin'
    when 'never_opened' then member.is_active and private.last_active_at(member.id) is null
    when 'silent' then member.is_active and private.last_active_at(member.id) < now() - interval '14 days'
    when 'new' then member.is_active and member.admitted_at > now() - interval '7 days'
    when 'waiting' then member.status = 'waiting'
    when 'suspended' then member.status = 'suspended'
    when 'removed' then member.status = 'removed'
    when 'declined' then member.status = 'declined'
    when 'all' then true
    else member.is_active
  end
$$;

create function public.list_members(
  filter text default 'active', query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, first_name text, last_name text, email text, role text, status text, joined_at timestamptz,
  last_active_at timestamptz, status_changed_at timestamptz, sponsor_name text, can_supervise boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  stuck uuid[];
begin
  perform private.assert_admin();
  if filter = 'stuck' then
    stuck := array(select private.stuck_members());
  end if;
  return query
  select m.id, m.first_name, m.last_name, m.email, m.role, m.status, m.created_at, private.last_active_at(m.id),
    m.status_changed_at,
    (select private.display_name(s.first_name, s.last_name, s.email) from private.members s where s.id = m.sponsor_id),
    m.can_supervise
  from private.members m
  where m.status <> 'deleted' and private.member_matches(m, filter)
    and (filter <> 'stuck' or m.id = any (stuck))
    and (
      m.searchable like all (private.member_patterns(query))
      -- A hidden address is not in there, and an admin searches by it all the same.
      or m.email_audience <> 'everyone'
        and private.member_words(m.first_name, m.last_name, m.email) like all (private.member_patterns(query))
    )
  -- Who waits, the longest first.
  order by case when filter = 'waiting' then m.status_changed_at end, m.sort_name, m.id
  limit greatest(least(max_results, 200), 0) offset greatest(skip, 0);
end
$$;
comment on function public.list_members is
  'For admins: a page of members by first name. filter: active, new, stuck, admins, never_opened, silent, waiting (the longest first), suspended, removed, declined or all.';

create function public.count_members()
returns table (
  active bigint, new bigint, stuck bigint, admins bigint, never_opened bigint, silent bigint, waiting bigint,
  suspended bigint, removed bigint, declined bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  with seen as materialized (
    select m.status, m.role, m.admitted_at, private.last_active_at(m.id) as at from private.members m where m.status <> 'deleted'
  )
  select
    count(*) filter (where s.status = 'active'),
    count(*) filter (where s.status = 'active' and s.admitted_at > now() - interval '7 days'),
    (select count(*) from private.stuck_members()),
    count(*) filter (where s.status = 'active' and s.role = 'admin'),
    count(*) filter (where s.status = 'active' and s.at is null),
    count(*) filter (where s.status = 'active' and s.at < now() - interval '14 days'),
    count(*) filter (where s.status = 'waiting'),
    count(*) filter (where s.status = 'suspended'),
    count(*) filter (where s.status = 'removed'),
    count(*) filter (where s.status = 'declined')
  from seen s;
end
$$;
comment on function public.count_members is 'For admins: how many members each filter of list_members finds.';

create function public.member_details(member_id uuid)
returns table (
  id uuid, first_name text, last_name text, email text, role text, status text, status_reason text,
  status_changed_at timestamptz, status_changed_by_name text, can_be_undecided boolean, joined_at timestamptz, last_active_at timestamptz,
  rally_enabled boolean, can_create_chats boolean, can_send_messages boolean, can_supervise boolean,
  is_vice_president boolean, has_second_factor boolean, sessions bigint, devices bigint, groups_led bigint, steps_done bigint, steps_total bigint,
  sponsor_id uuid, sponsor_name text, counts_for_name text, invited_by_name text, brought_in bigint, downline bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_admin();
  return query
  select m.id, m.first_name, m.last_name, m.email, m.role, m.status, m.status_reason, m.status_changed_at,
    (
      select private.display_name(actor.first_name, actor.last_name, actor.email)
      from private.audit_log e join private.members actor on actor.id = e.actor_id
      where e.people @> array[m.id] and e.kind = 'member' and e.object_id = m.id and e.after ? 'status'
        and e.actor_id <> m.id and e.recorded_at >= m.status_changed_at
      order by e.recorded_at desc, e.id desc limit 1
    ),
    private.can_be_undecided(m), m.created_at, private.last_active_at(m.id),
    m.rally_enabled, m.can_create_chats, m.can_send_messages, m.can_supervise,
    (select m.id = any (s.vice_presidents) from public.team_settings s),
    private.has_second_factor(m.id),
    (select count(*) from auth.sessions s where s.user_id = m.id),
    (select count(*) from public.push_devices d where d.user_id = m.id),
    (select count(*) from public.chats c where c.created_by = m.id and c.type = 'group' and c.is_active),
    (select count(*) from public.onboarding_progress p
     join public.newrepstart_content i on i.id = p.item_id and i.is_active where p.user_id = m.id),
    (select count(*) from public.newrepstart_content i where i.is_active),
    m.sponsor_id,
    (select private.display_name(s.first_name, s.last_name, s.email) from private.members s where s.id = m.sponsor_id),
    -- Where the sponsor is not on the team.
    (
      select private.display_name(s.first_name, s.last_name, s.email)
      from private.upline(m.id) above join private.members s on s.id = above.id
      where above.level = 1 and above.id <> m.sponsor_id
    ),
    (
      select private.display_name(s.first_name, s.last_name, s.email)
      from public.invitations i join private.members s on s.id = i.invited_by
      where i.accepted_by = m.id order by i.accepted_at desc limit 1
    ),
    (select count(*) from private.members r where r.sponsor_id = m.id and r.is_active),
    (select count(*) from private.downline(m.id))
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
