-- Blocking a person: their chat of two is silent and hidden, and neither writes to the other. What it covers and why:
-- docs/decisions/017-blocking.md

create table private.blocks (
  blocker_id uuid not null references private.members (id),
  blocked_id uuid not null references private.members (id),
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  constraint "Nobody blocks themselves" check (blocker_id <> blocked_id)
);
comment on table private.blocks is 'Who blocked whom. The blocked one is not notified.';
create index blocks_blocked_id on private.blocks (blocked_id);
alter table private.blocks enable row level security;
revoke all on private.blocks from anon, authenticated, service_role;

-- Leaders stay reachable: while one of the two is one, a block rests.
create function private.is_leader(member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.members m where m.id = member_id and m.is_active and (m.role = 'admin' or m.can_supervise)
  )
$$;

create function private.has_blocked(blocker uuid, blocked uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.blocks b where b.blocker_id = blocker and b.blocked_id = blocked)
    and not private.is_leader(blocker) and not private.is_leader(blocked)
$$;

create function private.blocked_by(member_id uuid) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select array(
    select b.blocked_id from private.blocks b
    where b.blocker_id = member_id and not private.is_leader(b.blocker_id) and not private.is_leader(b.blocked_id)
  )
$$;

-- Whom the member blocked, and who blocked the member.
create function private.apart_from(member_id uuid) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select private.blocked_by(member_id) || array(
    select b.blocker_id from private.blocks b
    where b.blocked_id = member_id and not private.is_leader(b.blocker_id) and not private.is_leader(b.blocked_id)
  )
$$;

-- In a chat of two, whether one of them blocked the other.
create function private.is_pair_apart(chat_id uuid, member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.chat_participants p
    where p.chat_id = is_pair_apart.chat_id and p.user_id <> member_id
      and (private.has_blocked(member_id, p.user_id) or private.has_blocked(p.user_id, member_id))
  )
$$;

-- Whether this is a chat of two with somebody whom the member blocked. What the member reads there is not noted, because the other
-- would see it.
create function private.has_blocked_pair(chat_id uuid, member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.chat_participants p
    join public.chats c on c.id = p.chat_id and c.type = 'individual'
    where p.chat_id = has_blocked_pair.chat_id and p.user_id = any (private.blocked_by(member_id))
  )
$$;

-- Waits for a chat of the two that is being made at this moment, so that none slips past.
create function public.block_member(member_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if not private.is_member() or not exists (
    select from private.members m
    where m.id = block_member.member_id and m.admitted_at is not null and m.status <> 'deleted'
  ) then
    raise exception 'This member no longer exists' using errcode = 'PT404';
  elsif member_id = me then
    raise exception 'You cannot block yourself' using errcode = '22023';
  elsif private.is_leader(member_id) then
    raise exception 'A leader of the team cannot be blocked' using errcode = '42501',
      hint = 'Report what they wrote, or talk to another leader.';
  elsif private.is_leader(me) then
    raise exception 'Leaders stay reachable, so they block nobody' using errcode = '42501';
  end if;
  perform private.lock_pair(me, member_id);
  if (select count(*) from private.blocks b where b.blocker_id = me) >= 1000 then
    raise exception 'At most 1000 people can be blocked' using errcode = 'PT429';
  end if;
  insert into private.blocks (blocker_id, blocked_id) values (me, member_id) on conflict do nothing;
end
$$;
comment on function public.block_member is
  'Blocks a person for the caller: no chat of the two, no push and no unread messages from them. Leaders cannot be blocked.';

create function public.unblock_member(member_id uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from private.blocks b
  where b.blocker_id = (select auth.uid()) and b.blocked_id = member_id and (select private.is_member())
$$;
comment on function public.unblock_member is 'Ends the caller''s block of a person.';

create function public.blocked_people()
returns table (id uuid, first_name text, last_name text, blocked_at timestamptz, rests boolean)
language sql stable security definer set search_path = ''
as $$
  -- Of a person whose admission was taken back: see private.name_for_members.
  select m.id, case when m.admitted_at is null then 'Former' else m.first_name end,
    case when m.admitted_at is null then 'member' else m.last_name end, b.created_at,
    private.is_leader(b.blocker_id) or private.is_leader(b.blocked_id)
  from private.blocks b join private.members m on m.id = b.blocked_id
  where b.blocker_id = (select auth.uid()) and (select private.is_member())
  order by m.sort_name, m.id
$$;
comment on function public.blocked_people is
  'Whom the caller blocked. rests: without effect, because one of the two is a leader.';

-- The blocker's devices take the chat away or bring it back. Neither sees any longer whether the other is online or has the chat of two
-- open.
create function private.publish_block() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  block constant private.blocks := case tg_op when 'DELETE' then old else new end;
begin
  perform private.publish_to_members(array[block.blocker_id], 'blocks_changed', '{}');
  perform private.recheck_topic('online:' || block.blocker_id);
  perform private.recheck_topic('online:' || block.blocked_id);
  perform private.recheck_topic('typing:' || c.id)
  from private.chat_participants mine
  join private.chat_participants theirs on theirs.chat_id = mine.chat_id and theirs.user_id = block.blocked_id
  join public.chats c on c.id = mine.chat_id and c.type = 'individual'
  where mine.user_id = block.blocker_id;
  return null;
end
$$;
create trigger publish_block after insert or delete on private.blocks
  for each row execute function private.publish_block();

-- A deleted account blocks nobody and is blocked by nobody.
create function private.forget_blocks() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.blocks b where new.id in (b.blocker_id, b.blocked_id);
  return null;
end
$$;
create trigger forget_blocks after update of status on private.members
  for each row when (new.status = 'deleted') execute function private.forget_blocks();

revoke execute on function public.block_member, public.unblock_member, public.blocked_people from public, anon, service_role;
grant execute on function public.block_member, public.unblock_member, public.blocked_people to authenticated;
revoke execute on all functions in schema private from public;
