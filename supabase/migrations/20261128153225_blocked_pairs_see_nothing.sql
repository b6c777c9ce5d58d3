-- In a chat of two, a blocked person saw that the blocker had it open and read it, and reached their device with what presence holds; and
-- somebody removed from a group followed its names.

alter table private.chat_participants add column left_name text;
-- Who left before learns the name of today, and none of later. No trigger: nothing happens in the chat.
alter table private.chat_participants disable trigger user;
update private.chat_participants p set left_name = c.name from public.chats c where c.id = p.chat_id and c.type = 'group' and not p.is_active;
alter table private.chat_participants enable trigger user;

create function private.has_blocked_pair(chat_id uuid, member_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.chat_participants p
    join public.chats c on c.id = p.chat_id and c.type = 'individual'
    where p.chat_id = has_blocked_pair.chat_id and p.user_id = any (private.blocked_by(member_id))
  )
$$;

create or replace function private.publish_block() returns trigger
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

create or replace function private.check_changed_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Both are forgotten with the account, which may go when an admin lifts a legal hold.
  if new.user_id <> (select auth.uid())
    and (new.last_read_at, new.muted_until, new.mentions_only)
      is distinct from (old.last_read_at, old.muted_until, old.mentions_only)
    and (new.is_active or num_nonnulls(new.last_read_at, new.muted_until) > 0 or new.mentions_only)
  then
    raise exception 'Only the participant may mark a chat as read or mute it' using errcode = '42501';
  end if;
  if new.is_active and not old.is_active then
    if exists (select from private.members m where m.id = new.user_id and not m.is_active) then
      raise exception 'A former member cannot join a chat' using errcode = '23514';
    end if;
    if (select auth.uid()) is not null and new.user_id <> (select auth.uid()) then
      perform private.refuse_apart((select auth.uid()), new.user_id);
    end if;
    new.joined_at := now();
    new.last_read_at := now();
  end if;
  if new.is_active is distinct from old.is_active then
    new.left_at := case when not new.is_active then now() end;
    new.left_by := case when not new.is_active then (select auth.uid()) end;
    new.left_name := case when not new.is_active then (select c.name from public.chats c where c.id = new.chat_id) end;
    new.pinned_at := null;
    new.is_marked_unread := false;
  end if;
  if new.last_read_at is distinct from old.last_read_at and private.has_blocked_pair(new.chat_id, new.user_id) then
    new.last_read_at := old.last_read_at;
  end if;
  if new.last_read_at > coalesce(old.last_read_at, '-infinity') then
    new.is_marked_unread := false;
  end if;
  -- A device whose clock is ahead must not mark future messages as read.
  if new.last_read_at > now() then
    new.last_read_at := now();
  end if;
  return new;
end
$$;

create or replace function private.can_send(topic text, extension text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select extension = 'presence' and private.can_receive(topic)
    and (topic like 'typing:%' or topic = 'online:' || (select auth.uid()))
    and private.may_send_messages()
    -- Of two with a block between them, neither shows the other anything in their chat.
    and not exists (
      select from private.my_chat_ids() mine (id) join public.chats c on c.id = mine.id and c.type = 'individual'
      where topic = 'typing:' || c.id and private.is_pair_apart(c.id, (select auth.uid()))
    )
$$;

create or replace function public.chat_departure(chat_id uuid) returns table (title text, was_removed boolean)
language sql stable security definer set search_path = ''
as $$
  select p.left_name, p.left_by is distinct from p.user_id
  from private.chat_participants p
  join public.chats c on c.id = p.chat_id and c.type = 'group'
  where p.chat_id = chat_departure.chat_id and p.user_id = (select auth.uid()) and not p.is_active
$$;

comment on column private.chat_participants.left_name is 'The chat''s name at that moment: what it is called later is no business of theirs.';

revoke execute on function private.has_blocked_pair(uuid,uuid) from public;
