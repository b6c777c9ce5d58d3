-- Who brought in whom: a tree, with members.sponsor_id as the edge upward. The edges stay when somebody is suspended, removed
-- or deletes the account, so that the tree is whole again when they return. Whoever reads it skips those who are not on the
-- team: their people count as brought in by the next active member above (product.md P152).

create function private.most_sponsor_levels() returns integer
language sql immutable set search_path = ''
as $$ select 64 $$;

-- No cycles. Two moves at the same moment could each be fine and together close a cycle, so they take turns; the second one
-- sees the first one's. A new member is above nobody and needs no turn.
create function private.keep_sponsors_a_tree() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    perform pg_advisory_xact_lock(hashtextextended('private.members: sponsors', 0));
  end if;
  if exists (
    -- Without duplicates, so that it ends whatever it meets.
    with recursive line as (
      select new.sponsor_id as id
      union
      select m.sponsor_id from line join private.members m on m.id = line.id where m.sponsor_id is not null
    )
    select from line where line.id = new.id
  ) then
    raise exception 'Nobody can be brought in by somebody of their own line' using errcode = '23514';
  end if;
  return new;
end
$$;
create trigger keep_sponsors_a_tree before insert or update of sponsor_id on private.members
  for each row when (new.sponsor_id is not null) execute function private.keep_sponsors_a_tree();

-- Null: nobody on the team brought them in.
create function public.set_sponsor(member_id uuid, sponsor_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only an admin says who brought somebody in' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
  -- Before the row's own lock, which another move would hold while it waits.
  perform pg_advisory_xact_lock(hashtextextended('private.members: sponsors', 0));
  if not exists (select from private.members m where m.id = set_sponsor.member_id and m.status <> 'deleted') then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  end if;
  if set_sponsor.sponsor_id is not null and not exists (
    select from private.members m where m.id = set_sponsor.sponsor_id and m.is_active
  ) then
    raise exception 'Choose somebody who is on the team' using errcode = '22023';
  end if;
  update private.members m set sponsor_id = set_sponsor.sponsor_id
  where m.id = set_sponsor.member_id and m.sponsor_id is distinct from set_sponsor.sponsor_id;
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.set_sponsor is 'For admins: who brought the member in; null for nobody.';

-- The active members above, the nearest first.
create function private.upline(member_id uuid) returns table (id uuid, level integer)
language sql stable security definer set search_path = ''
as $$
  with recursive line as (
    select m.sponsor_id as id, 1 as depth from private.members m where m.id = member_id
    union all
    select m.sponsor_id, line.depth + 1
    from line join private.members m on m.id = line.id
    where m.sponsor_id is not null and line.depth < private.most_sponsor_levels()
  )
  select m.id, (row_number() over (order by line.depth))::integer
  from line join private.members m on m.id = line.id and m.is_active
  order by line.depth
$$;

-- The active members below with their level and the active member they count as brought in by.
create function private.downline(member_id uuid) returns table (id uuid, sponsor_id uuid, level integer)
language sql stable security definer set search_path = ''
as $$
  with recursive line as (
    select m.id, m.is_active, downline.member_id as sponsor_id, 1 as level, 1 as depth
    from private.members m where m.sponsor_id = downline.member_id
    union all
    select m.id, m.is_active, case when line.is_active then line.id else line.sponsor_id end,
      line.level + line.is_active::integer, line.depth + 1
    from line join private.members m on m.sponsor_id = line.id
    where line.depth < private.most_sponsor_levels()
  )
  select line.id, line.sponsor_id, line.level from line where line.is_active
$$;

-- Looks upward, which is short, whatever the size of the team.
create function private.is_in_downline(member_id uuid, leader_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  with recursive line as (
    select m.sponsor_id as id, 1 as depth from private.members m where m.id = member_id
    union all
    select m.sponsor_id, line.depth + 1
    from line join private.members m on m.id = line.id
    where line.id <> leader_id and line.depth < private.most_sponsor_levels()
  )
  select exists (select from line where line.id = leader_id)
$$;

create function public.my_sponsor() returns table (id uuid, first_name text, last_name text)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name
  from private.upline((select auth.uid())) above
  join private.members m on m.id = above.id
  where (select private.is_member())
  order by above.level
  limit 1
$$;
comment on function public.my_sponsor is 'The member whom the caller counts as brought in by; nothing if there is none.';

revoke execute on function public.set_sponsor(uuid, uuid), public.my_sponsor() from public, anon, service_role;
grant execute on function public.set_sponsor(uuid, uuid), public.my_sponsor() to authenticated;
revoke execute on all functions in schema private from public;
