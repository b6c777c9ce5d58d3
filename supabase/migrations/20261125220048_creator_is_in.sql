-- A chat of two without its creator can no longer be put into somebody's list. Existing rows stay as they are.

create or replace function private.check_new_participant() returns trigger
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

CREATE CONSTRAINT TRIGGER require_creator AFTER INSERT ON private.chat_participants DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION private.require_creator();

revoke execute on function private.require_creator() from public;
