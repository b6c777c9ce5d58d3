-- The directory of the team, and the profile that opens wherever a member's name is pressed.

-- Whom a leader brought in, as product.md P152 counts them.
create function private.brought_in_by(leader_id uuid) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  with recursive line as (
    select m.id, m.is_active from private.members m where m.sponsor_id = leader_id
    union
    select m.id, m.is_active from line join private.members m on m.sponsor_id = line.id where not line.is_active
  )
  select line.id from line where line.is_active
$$;

-- A page by name, which begins after the row whose name and id are given, so that the hundredth page costs what the first does.
create function public.list_people(
  query text default '', with_role text default null, in_state text default null, leader_id uuid default null,
  after_first_name text default null, after_last_name text default null, after_id uuid default null,
  max_results integer default 50
)
returns table (
  id uuid, first_name text, last_name text, email text, role text, can_supervise boolean, is_vice_president boolean, state text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.member_patterns(query);
  apart constant uuid[] := private.apart_from((select auth.uid()));
  vice_presidents constant uuid[] := (select s.vice_presidents from public.team_settings s);
begin
  if not private.is_member() then
    return;
  end if;
  -- Dynamic, so that it is planned for these words and filters: each has an index that suits it.
  return query execute $people$
    select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience, true), m.role, m.can_supervise,
      m.id = any ($3), m.state
    from private.members m
    where m.is_active and m.id <> all ($2)
      and ($4 is null or m.searchable like $4) and m.searchable like all ($5)
      and case $6
        when 'admin' then m.role = 'admin'
        when 'supervisor' then m.can_supervise
        when 'vice_president' then m.id = any ($3)
        when 'sponsor' then exists (select from private.members r where r.sponsor_id = m.id and r.is_active)
        else $6 is null
      end
      and ($7 is null or m.state = $7)
      and ($8 is null or m.id in (select private.brought_in_by($8)))
      and ($11 is null or (m.sort_name, m.id) > (private.sort_name($9, $10), $11))
    order by m.sort_name, m.id
    limit $1
  $people$ using
    greatest(least(max_results, 200), 0), apart, vice_presidents, patterns[1], patterns[2:], with_role, in_state, leader_id,
    coalesce(after_first_name, ''), coalesce(after_last_name, ''), after_id;
end
$$;
comment on function public.list_people is
  'A page of the team by name, found by words of name or visible e-mail. with_role: admin, supervisor, vice_president, or sponsor (brought somebody in); leader_id: whom this member brought in. Without people whom the caller blocked or who blocked the caller.';

create function public.people_states() returns setof text
language sql stable security definer set search_path = ''
as $$
  select distinct m.state from private.members m
  where (select private.is_member()) and m.is_active and m.state is not null
  order by m.state
$$;
comment on function public.people_states is 'The states that members of the team work in.';

-- Whoever left has a name and nothing else.
create function public.member_profile(member_id uuid)
returns table (
  id uuid, first_name text, last_name text, is_active boolean, role text, can_supervise boolean, is_vice_president boolean,
  email text, phone text, state text, about text, sponsor_id uuid, sponsor_name text, brought_in bigint, chat_id uuid
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  member private.members;
begin
  select * into member from private.members m where m.id = member_profile.member_id and m.admitted_at is not null;
  if member.id is null or not private.is_member() then
    return;
  elsif not member.is_active then
    return query select member.id, member.first_name, member.last_name, false, 'user', false, false,
      null::text, null::text, null::text, '', null::uuid, null::text, 0::bigint, null::uuid;
    return;
  end if;
  return query
  select member.id, member.first_name, member.last_name, true, member.role, member.can_supervise,
    (select member.id = any (s.vice_presidents) from public.team_settings s),
    private.shown_email(member.id, member.email, member.email_audience, true),
    private.shown_phone(member.id, member.phone, member.phone_audience, true),
    member.state, member.about, sponsor.id,
    case when sponsor.id is not null then private.display_name(sponsor.first_name, sponsor.last_name, sponsor.email) end,
    (select count(*) from private.brought_in_by(member.id)),
    (
      select c.id
      from private.chat_participants mine
      join public.chats c on c.id = mine.chat_id and c.type = 'individual' and c.is_active and c.created_by in (me, member.id)
      join private.chat_participants theirs on theirs.chat_id = c.id and theirs.user_id = member.id
      where mine.user_id = me and mine.is_active and member.id <> me
      order by c.created_at limit 1
    )
  from (select) one
  left join lateral (
    select s.* from private.upline(member.id) above join private.members s on s.id = above.id where above.level = 1
  ) sponsor on true;
end
$$;
comment on function public.member_profile is
  'A member as they show themselves to the caller: phone and e-mail are null unless they share them. chat_id: the caller''s chat of two with them.';

revoke execute on function
  public.list_people(text, text, text, uuid, text, text, uuid, integer), public.people_states(), public.member_profile(uuid)
from public, anon, service_role;
grant execute on function
  public.list_people(text, text, text, uuid, text, text, uuid, integer), public.people_states(), public.member_profile(uuid)
to authenticated;
revoke execute on all functions in schema private from public;
