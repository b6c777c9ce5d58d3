-- Rules on participants that compare the old row with the new one or look at other rows, which a policy cannot do.

create function private.check_new_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Locked, so that two people added at the same moment cannot both become the second of two.
  perform from public.chats c where c.id = new.chat_id and c.type = 'individual' for no key update;
  if found and (
    select count(*) from public.chat_participants p where p.chat_id = new.chat_id and p.user_id <> new.user_id
  ) >= 2 then
    raise exception 'An individual chat has two participants' using errcode = '23514';
  end if;
  if exists (select from private.members m where m.id = new.user_id and not m.is_active) then
    raise exception 'A former member cannot join a chat' using errcode = '23514';
  end if;
  return new;
end
$$;

create trigger check_new_participant before insert on public.chat_participants
  for each row execute function private.check_new_participant();

create function private.check_changed_participant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.user_id <> (select auth.uid())
    and (new.last_read_at, new.muted_until) is distinct from (old.last_read_at, old.muted_until)
  then
    raise exception 'Only the participant may mark a chat as read or mute it' using errcode = '42501';
  end if;
  if new.is_active and not old.is_active then
    if exists (select from private.members m where m.id = new.user_id and not m.is_active) then
      raise exception 'A former member cannot join a chat' using errcode = '23514';
    end if;
    new.joined_at := now();
  end if;
  -- A device whose clock is ahead must not mark as read what nobody has written yet.
  if new.last_read_at > now() then
    new.last_read_at := now();
  end if;
  return new;
end
$$;

create trigger check_changed_participant before update on public.chat_participants
  for each row execute function private.check_changed_participant();

revoke execute on all functions in schema private from public;
