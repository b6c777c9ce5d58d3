-- Pinned chats: up to five that a member keeps at the top of their list, after the mandatory one.

create function private.most_pinned_chats() returns int
language sql immutable set search_path = ''
as $$ select 5 $$;

create function public.pin_chat(chat_id uuid, is_pinned boolean default true) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if pin_chat.chat_id not in (select private.my_chat_ids()) then
    raise exception 'This chat no longer exists' using errcode = '42501';
  end if;
  if pin_chat.chat_id = private.mandatory_chat_id() then
    raise exception 'The mandatory chat is always at the top' using errcode = '23514';
  end if;
  -- Locked, so that two devices at once do not pin a sixth.
  perform from private.members m where m.id = me for no key update;
  -- Those that the list leaves out, closed groups and chats with people whom the member blocked, take no place.
  if is_pinned and (
    select count(*)
    from private.chat_participants p
    join public.chats c on c.id = p.chat_id and c.is_active
    where p.user_id = me and p.is_active and p.pinned_at is not null and p.chat_id <> pin_chat.chat_id
      and not (c.type = 'individual' and exists (
        select from private.chat_participants o
        where o.chat_id = c.id and o.user_id = any (private.blocked_by(me))
      ))
  ) >= private.most_pinned_chats() then
    raise exception 'At most 5 chats can be pinned; unpin another one first' using errcode = '23514';
  end if;
  if is_pinned and exists (
    select from private.members m where m.id = me and pin_chat.chat_id = any (m.hidden_chats || m.archived_chats)
  ) then
    raise exception 'A hidden or archived chat cannot be pinned' using errcode = '23514';
  end if;
  update private.chat_participants p set pinned_at = case when is_pinned then now() end
  where p.chat_id = pin_chat.chat_id and p.user_id = me and (p.pinned_at is not null) <> is_pinned;
end
$$;
comment on function public.pin_chat is 'Keeps a chat at the top of the caller''s list, or no longer.';

-- Nobody sees a chat they hid or archived at the top of their list, so it does not count among the five either.
create function private.unpin_put_away_chats() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.chat_participants p set pinned_at = null
  where p.user_id = new.id and p.pinned_at is not null and p.chat_id = any (new.hidden_chats || new.archived_chats);
  return null;
end
$$;

create trigger unpin_put_away_chats after update of hidden_chats, archived_chats on private.members
  for each row when (not (old.hidden_chats || old.archived_chats) @> (new.hidden_chats || new.archived_chats))
  execute function private.unpin_put_away_chats();

revoke execute on function public.pin_chat(uuid, boolean) from public, anon;
grant execute on function public.pin_chat(uuid, boolean) to authenticated;
revoke execute on all functions in schema private from public;
