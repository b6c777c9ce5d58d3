-- create_chat(): chat, participants and first message, all or nothing. Two people share one individual chat; asking for
-- it again finds it. Repeating a request with the same message id finds the chat that the first one created, also while
-- that one is still under way: a button pressed twice.

create function public.create_chat(
  member_ids uuid[], name text, first_message text, message_id uuid default gen_random_uuid()
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  others constant uuid[] := array(select distinct m from unnest(member_ids) m where m is not null and m <> me);
  found_chat uuid;
begin
  if not private.is_member() then
    raise exception 'You do not have permission to create chats.' using errcode = '42501';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('new chat ' || message_id, 0));
  select m.chat_id into found_chat from public.chat_messages m where m.id = message_id and m.sender_id = me;
  if found then
    return found_chat;
  end if;

  if cardinality(others) = 0 then
    raise exception 'Please select at least one team member' using errcode = '22023';
  elsif private.is_blank(first_message) then
    raise exception 'Please write a first message' using errcode = '22023';
  elsif cardinality(others) > 1 and private.is_blank(create_chat.name) then
    raise exception 'Please enter a group name' using errcode = '22023';
  elsif (select count(*) from private.members where id = any (others) and is_active) < cardinality(others) then
    raise exception 'Somebody you selected is not on the team any more' using errcode = '22023';
  elsif not private.may_send_messages() then
    raise exception 'You do not have permission to send messages.' using errcode = '42501';
  end if;

  if cardinality(others) = 1 then
    found_chat := private.open_individual_chat(me, others[1]);
  end if;
  if found_chat is null then
    if not private.may_create_chats() then
      raise exception 'You do not have permission to create chats.' using errcode = '42501';
    end if;
    insert into public.chats (name, type, created_by)
    values (
      case when cardinality(others) > 1 then btrim(create_chat.name) end,
      case when cardinality(others) > 1 then 'group' else 'individual' end,
      me
    )
    returning id into found_chat;
    insert into private.chat_participants (chat_id, user_id) select found_chat, unnest(me || others);
  end if;

  insert into public.chat_messages (id, chat_id, sender_id, message) values (message_id, found_chat, me, first_message);
  update private.chat_participants set last_read_at = now() where chat_id = found_chat and user_id = me;
  return found_chat;
exception
  when not_null_violation or check_violation then raise exception using errcode = sqlstate, message = sqlerrm;
end
$$;
comment on function public.create_chat is
  'Creates a chat with these members and its first message; returns its id. One member: the individual chat with them.';

-- It must not reveal a block: the text is also true of a permission that was taken away.
create function private.refuse_apart(me uuid, other uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.has_blocked(me, other) then
    raise exception 'You blocked this person. Unblock them first' using errcode = '42501';
  elsif private.has_blocked(other, me) then
    raise exception 'You cannot write to this person' using errcode = '42501';
  end if;
end
$$;

-- The individual chat of these two, with both of them in it and back on the caller's list; null if there is none.
create function private.open_individual_chat(me uuid, other uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  found_chat uuid;
begin
  perform private.lock_pair(me, other);
  perform private.refuse_apart(me, other);
  -- Created by one of the two: older chats may have been created by somebody else.
  select c.id into found_chat
  from private.chat_participants mine
  join public.chats c on c.id = mine.chat_id and c.type = 'individual' and c.is_active and c.created_by in (me, other)
  join private.chat_participants theirs on theirs.chat_id = c.id and theirs.user_id = other
  where mine.user_id = me
  order by c.created_at
  limit 1;
  if found_chat is null then
    return null;
  end if;
  update private.chat_participants set is_active = true where chat_id = found_chat and not is_active;
  update private.members m set
    hidden_chats = array_remove(m.hidden_chats, found_chat), archived_chats = array_remove(m.archived_chats, found_chat)
  where m.id = me and found_chat = any (m.hidden_chats || m.archived_chats);
  return found_chat;
end
$$;

revoke execute on function public.create_chat from public, anon;
grant execute on function public.create_chat to authenticated, service_role;
revoke execute on all functions in schema private from public;
