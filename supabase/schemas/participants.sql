-- public.chat_participants: who takes part in which chat. When a participant last read a chat and how they keep it in
-- their list is their own business: an admin can switch "Seen by" off, and the Data API must not reveal it anyway. So
-- this is a view, for the reasons in docs/decisions/003-users-is-a-view.md: `select *` works, with these columns null in
-- other people's rows.

-- Runs with the caller's rights: the policy "members see who is in their chats" decides which rows there are.
create view public.chat_participants with (security_invoker) as
select
  chat_id, user_id, is_active, joined_at,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then last_read_at end as last_read_at,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then muted_until end as muted_until,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then pinned_at end as pinned_at,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then is_marked_unread end as is_marked_unread,
  case when user_id = (select auth.uid()) or (select private.is_trusted_role()) then mentions_only end as mentions_only
from private.chat_participants;
alter view public.chat_participants alter column is_active set default true;
alter view public.chat_participants alter column joined_at set default now();

comment on view public.chat_participants is
  'Who takes part in which chat. last_read_at, muted_until, pinned_at, is_marked_unread and mentions_only are null in every row but your own.';
comment on column public.chat_participants.last_read_at is
  'At first the moment of joining a chat with a history. Null: never opened, so every message counts as unread.';
comment on column public.chat_participants.muted_until is 'No push until then; infinity mutes for good.';
comment on column public.chat_participants.mentions_only is
  'Only messages that mention the participant or reply to them are pushed and count; muted_until outweighs it.';
comment on column public.chat_participants.pinned_at is 'Changed by pin_chat.';
comment on column public.chat_participants.is_marked_unread is 'Changed by mark_chat_unread and mark_chat_read.';

revoke all on public.chat_participants from anon, authenticated, service_role;
grant select, insert, update, delete on public.chat_participants to service_role;
grant select on public.chat_participants to authenticated;
grant insert (chat_id, user_id, is_active), update (is_active, last_read_at, muted_until, mentions_only)
  on public.chat_participants to authenticated;

-- These triggers authorize writes, with their owner's rights.
create function private.insert_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(auth.role(), 'service_role') <> 'service_role'
    and not (
      new.is_active and new.chat_id in (select private.my_created_chat_ids())
      and exists (select from public.chats c where c.id = new.chat_id and c.is_active)
    )
  then
    raise exception 'Only the creator adds participants to a chat' using errcode = '42501';
  end if;
  perform private.refuse_nulls(jsonb_build_object(
    'chat_id', new.chat_id, 'user_id', new.user_id, 'is_active', new.is_active, 'joined_at', new.joined_at
  ));
  insert into private.chat_participants (chat_id, user_id, is_active, joined_at, last_read_at, muted_until)
  values (new.chat_id, new.user_id, new.is_active, new.joined_at, new.last_read_at, new.muted_until);
  return new;
end
$$;

create trigger insert_participant instead of insert on public.chat_participants
  for each row execute function private.insert_participant();

-- Members mark as read, mute and leave; creators add and remove. Writes only the columns that changed: callers do not
-- see everything in other people's rows.
create function private.update_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  by_service constant boolean := coalesce(auth.role(), 'service_role') = 'service_role';
  is_own constant boolean := old.user_id = (select auth.uid());
  own_part_changes constant boolean :=
    (new.last_read_at, new.muted_until, new.mentions_only)
      is distinct from (old.last_read_at, old.muted_until, old.mentions_only);
begin
  if not by_service then
    -- A participant who left has no row to update, and so cannot rejoin on their own.
    if not (
      is_own and old.chat_id in (select private.my_chat_ids())
      or old.chat_id in (select private.my_created_group_ids())
    ) then
      return null;
    end if;
    if own_part_changes and not is_own then
      raise exception 'Only the participant may mark a chat as read or mute it' using errcode = '42501';
    end if;
    if not new.is_active and old.chat_id = (select private.mandatory_chat_id()) then
      raise exception 'Nobody leaves the mandatory chat' using errcode = '42501';
    end if;
  end if;

  perform private.refuse_nulls(jsonb_build_object(
    'is_active', new.is_active,
    -- Null in the rows of others.
    'mentions_only', case when is_own or by_service then new.mentions_only else false end
  ));
  update private.chat_participants p set
    chat_id = new.chat_id, user_id = new.user_id,
    is_active = case when new.is_active is distinct from old.is_active then new.is_active else p.is_active end,
    -- Somebody who is removed just after leaving can no longer undo it.
    left_by = case when not by_service and not is_own and not new.is_active then (select auth.uid()) else p.left_by end,
    joined_at = case when new.joined_at is distinct from old.joined_at then new.joined_at else p.joined_at end,
    last_read_at = case when new.last_read_at is distinct from old.last_read_at then new.last_read_at else p.last_read_at end,
    muted_until = case when new.muted_until is distinct from old.muted_until then new.muted_until else p.muted_until end,
    mentions_only = case
      when new.mentions_only is distinct from old.mentions_only then new.mentions_only else p.mentions_only
    end
  where p.chat_id = old.chat_id and p.user_id = old.user_id
  returning
    p.is_active, p.joined_at, case when is_own or by_service then p.last_read_at end
  into new.is_active, new.joined_at, new.last_read_at;
  return new;
end
$$;

create trigger update_participant instead of update on public.chat_participants
  for each row execute function private.update_participant();

-- Rules on the table itself, for every writer: they compare the old row with the new one or look at other rows, which a
-- policy cannot do.

-- Two people who open their chat at the same moment wait here; the second finds the first one's chat.
create function private.lock_pair(one uuid, other uuid) returns void
language sql security definer set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('individual chat ' || least(one, other) || greatest(one, other), 0))
$$;

-- An individual chat is its creator's with one other person, and two people share one.
create function private.check_new_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  creator uuid;
  other uuid;
begin
  -- Locked, so that two people added at the same moment cannot both become the second participant.
  select c.created_by into creator
  from public.chats c where c.id = new.chat_id and c.type = 'individual' for no key update;
  if found then
    if (
      select count(*) from private.chat_participants p where p.chat_id = new.chat_id and p.user_id <> new.user_id
    ) >= 2 then
      raise exception 'An individual chat has two participants' using errcode = '23514';
    end if;
    select p.user_id into other
    from private.chat_participants p where p.chat_id = new.chat_id and p.user_id <> new.user_id;
    -- The creator may be added first or last in an insert, so one place is reserved for them.
    if other is not null and creator not in (new.user_id, other) then
      raise exception 'An individual chat has its creator in it' using errcode = '42501';
    end if;
    if other is not null then
      perform private.lock_pair(new.user_id, other);
      if exists (
        select
        from private.chat_participants mine
        join public.chats c on c.id = mine.chat_id and c.type = 'individual' and c.is_active
          and c.created_by in (new.user_id, other)
        join private.chat_participants theirs on theirs.chat_id = c.id and theirs.user_id = other
        where mine.user_id = new.user_id and mine.chat_id <> new.chat_id
      ) then
        raise exception 'You already have a chat with this member' using errcode = '23505';
      end if;
    end if;
  end if;
  if exists (select from private.members m where m.id = new.user_id and not m.is_active) then
    raise exception 'A former member cannot join a chat' using errcode = '23514';
  end if;
  -- Also not into a group, which would be the chat of two by another name. A server adds whom it likes.
  if (select auth.uid()) is not null and new.user_id <> (select auth.uid())
    and new.chat_id is distinct from private.mandatory_chat_id()
  then
    perform private.refuse_apart((select auth.uid()), new.user_id);
  end if;
  -- What was said before somebody joined is history, not unread.
  if new.last_read_at is null and exists (select from public.chat_messages m where m.chat_id = new.chat_id) then
    new.last_read_at := now();
  end if;
  return new;
end
$$;

create trigger check_new_participant before insert on private.chat_participants
  for each row execute function private.check_new_participant();

-- At the commit, so that the creator may come last in the insert. Otherwise anybody could put any number of empty chats into
-- somebody's list, even after a block. A server adds people one by one.
create function private.require_creator() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select auth.uid()) is not null and exists (
    select from public.chats c
    where c.id = new.chat_id and c.type = 'individual'
      and not exists (
        select from private.chat_participants p where p.chat_id = c.id and p.user_id = c.created_by
      )
  ) then
    raise exception 'An individual chat has its creator in it' using errcode = '42501';
  end if;
  return null;
end
$$;

create constraint trigger require_creator after insert on private.chat_participants
  deferrable initially deferred
  for each row execute function private.require_creator();

create function private.check_changed_participant() returns trigger
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

create trigger check_changed_participant before update on private.chat_participants
  for each row execute function private.check_changed_participant();

-- The time is the server's, so that a device whose clock is behind leaves no messages unread. A mark that could not be
-- sent is sent later and must not cover messages that arrived in between, so it says how far the caller has read.
create function public.mark_chat_read(chat_id uuid, read_until timestamptz default now()) returns void
language sql security definer set search_path = ''
as $$
  update private.chat_participants p
  set last_read_at = greatest(p.last_read_at, least(read_until, now())), is_marked_unread = false
  where p.chat_id = mark_chat_read.chat_id and p.user_id = (select auth.uid()) and p.is_active
    and (select private.is_member())
    and (p.last_read_at is distinct from greatest(p.last_read_at, least(read_until, now())) or p.is_marked_unread)
$$;
comment on function public.mark_chat_read is
  'Marks this chat as read up to that moment of the server''s clock, or completely.';

-- A reminder to oneself: who has read which message stays as it is.
create function public.mark_chat_unread(chat_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update private.chat_participants p set is_marked_unread = true
  where p.chat_id = mark_chat_unread.chat_id and p.user_id = (select auth.uid())
    and p.chat_id in (select private.my_chat_ids()) and not p.is_marked_unread
$$;
comment on function public.mark_chat_unread is 'Marks this chat as unread for the caller until they open it again.';

-- A page of a chat's participants by name, the creator first. Serves the member list and mentions. Matches names only:
-- nobody mentions an e-mail address.
create function public.chat_members(
  chat_id uuid, query text default '', max_results integer default 50, skip integer default 0
)
returns table (
  id uuid, first_name text, last_name text, email text, is_creator boolean, joined_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select m.id, m.first_name, m.last_name, private.shown_email(m.id, m.email, m.email_audience, true),
    coalesce(c.created_by = m.id, false), p.joined_at
  from private.chat_participants p
  join private.members m on m.id = p.user_id
  join public.chats c on c.id = p.chat_id
  where p.chat_id = chat_members.chat_id and p.is_active and m.is_active
    and p.chat_id in (select private.my_chat_ids())
    and m.searchable like all (private.member_patterns(query))
    and private.member_words(m.first_name, m.last_name, '') like all (private.member_patterns(query))
  order by coalesce(c.created_by = m.id, false) desc, m.sort_name, m.id
  limit least(max_results, 200) offset greatest(skip, 0)
$$;

create function public.add_chat_members(chat_id uuid, member_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if chat_id not in (select private.my_created_group_ids()) then
    raise exception 'Only the creator adds members to a group' using errcode = '42501';
  end if;
  insert into private.chat_participants as p (chat_id, user_id, is_active)
  select add_chat_members.chat_id, id, true from unnest(member_ids) id
  on conflict on constraint chat_participants_pkey do update set is_active = true where not p.is_active;
end
$$;

revoke execute on function
  public.mark_chat_read(uuid, timestamptz), public.mark_chat_unread(uuid), public.chat_members(uuid, text, integer, integer),
  public.add_chat_members(uuid, uuid[])
from public, anon;
grant execute on function
  public.mark_chat_read(uuid, timestamptz), public.mark_chat_unread(uuid), public.chat_members(uuid, text, integer, integer),
  public.add_chat_members(uuid, uuid[])
to authenticated, service_role;
revoke execute on all functions in schema private from public;
