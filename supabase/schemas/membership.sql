-- Suspending, removing and readmitting members, and what follows from it, whichever way a status changed.

create table private.handed_over_groups (
  chat_id uuid primary key references public.chats (id) on delete cascade,
  member_id uuid not null references private.members (id)
);
comment on table private.handed_over_groups is 'Groups whose creator is suspended or was removed; they return with the creator.';
create index handed_over_groups_member_id on private.handed_over_groups (member_id);
alter table private.handed_over_groups enable row level security;
revoke all on private.handed_over_groups from anon, authenticated, service_role;

-- A wrong tap can be taken back: a decline at any time, letting somebody in for ten minutes. People who came in without a
-- decision would be back at once.
create function private.can_be_undecided(member private.members) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return member.status = 'declined'
    or member.status = 'active' and member.role = 'user' and member.admitted_at > now() - interval '10 minutes'
      and (select t.registration = 'approval' from public.team_settings t)
      and not exists (select from public.invitations i where i.accepted_by = member.id);
end
$$;

create function public.set_member_status(
  member_id uuid, status text, reason text default '', if_status text default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  member private.members;
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
begin
  if not by_service and not private.is_admin() then
    raise exception 'Only an admin may suspend or remove members' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
  if member_id = (select auth.uid()) then
    raise exception 'Ask another admin to do this' using errcode = '42501';
  end if;
  -- First the account, as in ensure_member: two that lock both in another order would wait for each other.
  perform from auth.users u where u.id = set_member_status.member_id for no key update;
  -- Not for update: that would wait for people who are joining by this admin's invitation, while they wait for the invitation.
  select * into member from private.members m where m.id = set_member_status.member_id for no key update;
  if member.role = 'admin' then
    perform private.lock_admins();
    if not by_service and not private.is_admin() then
      raise exception 'Only an admin may suspend or remove members' using errcode = '42501';
    end if;
  end if;
  if member.id is null or member.status = 'deleted' then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif member.status = set_member_status.status then
    return;
  elsif member.status <> if_status then
    raise exception 'Another admin has decided meanwhile' using errcode = 'PT409';
  elsif set_member_status.status = 'waiting' and member.status = 'active' and not private.can_be_undecided(member) then
    raise exception 'Letting somebody in can be taken back for ten minutes' using errcode = '22023';
  elsif not coalesce(case set_member_status.status
    when 'active' then true
    when 'declined' then member.status = 'waiting'
    when 'waiting' then private.can_be_undecided(member)
    when 'suspended' then member.status = 'active'
    when 'removed' then member.status in ('active', 'suspended')
  end, false) then
    raise exception 'A member can be suspended, removed or readmitted' using errcode = '22023';
  elsif set_member_status.status in ('suspended', 'removed') and private.is_blank(reason) then
    raise exception 'Give a reason for suspending or removing a member' using errcode = '23514';
  end if;
  update private.members m set
    status = set_member_status.status, status_reason = private.trimmed(reason), status_changed_at = now(),
    admitted_at = case when set_member_status.status <> 'waiting' then m.admitted_at end,
    role = case when set_member_status.status = 'removed' then 'user' else m.role end,
    can_supervise = m.can_supervise and set_member_status.status in ('active', 'suspended')
  where m.id = set_member_status.member_id;
exception
  -- The same error without its detail, which is the row.
  when check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.set_member_status is
  'For admins: suspends, removes or readmits a member (`active`), with a reason. The first two end every session at once. People who wait are let in (`active`) or declined; `waiting` takes back either. With `if_status` it is refused if the status is another one by now.';
revoke execute on function public.set_member_status(uuid, text, text, text) from public, anon;
grant execute on function public.set_member_status(uuid, text, text, text) to authenticated, service_role;

-- Nobody signs in to it any more, and open sessions end. The far date stands for "until lifted": the auth service reads no
-- infinite one.
create function private.close_account(account_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update auth.users set banned_until = '2999-12-31' where id = account_id;
  perform private.forget_mailed_links(account_id);
end
$$;

create function private.follow_status() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.status in ('suspended', 'removed', 'declined') then
    perform private.close_account(new.id);
    update private.members set push_token = null where id = new.id and push_token is not null;
  elsif new.status in ('active', 'waiting') then
    update auth.users set banned_until = null where id = new.id and banned_until is not null;
  end if;
  -- Open devices still show a member's screens; after signing in again they show the waiting page.
  if old.status = 'active' and new.status = 'waiting' then
    delete from auth.sessions where user_id = new.id;
  end if;
  return null;
end
$$;
create trigger follow_status after update of status on private.members
  for each row when (old.status <> new.status) execute function private.follow_status();

-- Each group gets its longest-standing participant as creator, an admin first; a group of which nobody is left keeps its
-- creator. A group handed on twice returns to its maker. Scheduled notices are published as
-- planned, in the name of who ended the membership.
create function private.hand_over() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with heirs as (
    select c.id, (
      select p.user_id
      from private.chat_participants p
      join private.members m on m.id = p.user_id and m.is_active
      where p.chat_id = c.id and p.is_active
      order by m.role = 'admin' desc, p.joined_at, p.user_id
      limit 1
    ) as heir
    from public.chats c
    where c.created_by = new.id and c.type = 'group'
  ), given as (
    update public.chats c set created_by = heirs.heir from heirs where c.id = heirs.id and heirs.heir is not null
    returning c.id
  )
  insert into private.handed_over_groups as handed_over (chat_id, member_id) select given.id, new.id from given
  on conflict (chat_id) do update set member_id = excluded.member_id
  -- Unless who made it comes back to it.
  where not exists (
    select from private.chat_participants p join private.members m on m.id = p.user_id and m.status <> 'deleted'
    where p.chat_id = handed_over.chat_id and p.user_id = handed_over.member_id and p.is_active
  );

  update public.team_notices n set created_by = (select auth.uid())
  where n.created_by = new.id and n.published_at is null and n.cancelled_at is null
    and (select auth.uid()) is not null and (select auth.uid()) <> new.id;
  return null;
end
$$;
create trigger hand_over after update of status on private.members
  for each row when (old.status = 'active' and new.status <> 'active') execute function private.hand_over();

create function private.take_back_groups() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.chats c set created_by = new.id
  from private.handed_over_groups h
  where h.member_id = new.id and c.id = h.chat_id and exists (
    select from private.chat_participants p where p.chat_id = c.id and p.user_id = new.id and p.is_active
  );
  delete from private.handed_over_groups where member_id = new.id;
  -- Groups that nobody was left to manage.
  with adopted as (
    update public.chats c set created_by = new.id
    from private.chat_participants p, private.members former
    where p.user_id = new.id and p.is_active and c.id = p.chat_id and c.type = 'group'
      and former.id = c.created_by and not former.is_active
    returning c.id, former.id as former_id
  )
  insert into private.handed_over_groups (chat_id, member_id) select a.id, a.former_id from adopted a
  on conflict (chat_id) do nothing;
  return null;
end
$$;
create trigger take_back_groups after update of status on private.members
  for each row when (old.status <> 'active' and new.status = 'active')
  execute function private.take_back_groups();

revoke execute on all functions in schema private from public;
