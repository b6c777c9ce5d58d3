-- create_chat(): chat, participants and first message at once or not at all. Two people have one individual chat:
-- asking for it again finds it. Sending the same request again, with the same message id, finds what it made.

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
  select m.chat_id into found_chat from public.chat_messages m where m.id = message_id and m.sender_id = me;
  if found then
    return found_chat;
  end if;

  if cardinality(others) = 0 then
    raise exception 'Please select at least one team member' using errcode = '22023';
  elsif coalesce(first_message, '') !~ '\S' then
    raise exception 'Please write a first message' using errcode = '22023';
  elsif cardinality(others) > 1 and coalesce(create_chat.name, '') !~ '\S' then
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
    insert into public.chat_participants (chat_id, user_id) select found_chat, unnest(me || others);
  end if;

  insert into public.chat_messages (id, chat_id, sender_id, message) values (message_id, found_chat, me, first_message);
  update public.chat_participants set last_read_at = now() where chat_id = found_chat and user_id = me;
  return found_chat;
end
$$;
comment on function public.create_chat is
  'Opens a chat with these members and its first message; returns its id. One member: the individual chat with them.';

-- The chat these two have, with both of them in it and on the caller's list again; null if there is none.
create function private.open_individual_chat(me uuid, other uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  found_chat uuid;
begin
  -- Both may ask at the same moment; the second one waits and finds the first one's chat.
  perform pg_advisory_xact_lock(hashtextextended('individual chat ' || least(me, other) || greatest(me, other), 0));
  select c.id into found_chat
  from public.chat_participants mine
  join public.chats c on c.id = mine.chat_id and c.type = 'individual' and c.is_active
  join public.chat_participants theirs on theirs.chat_id = c.id and theirs.user_id = other
  where mine.user_id = me
  order by c.created_at
  limit 1;
  if found_chat is null then
    return null;
  end if;
  update public.chat_participants set is_active = true where chat_id = found_chat and not is_active;
  update private.members m set
    hidden_chats = array_remove(m.hidden_chats, found_chat), archived_chats = array_remove(m.archived_chats, found_chat)
  where m.id = me and found_chat = any (m.hidden_chats || m.archived_chats);
  return found_chat;
end
$$;

revoke execute on function public.create_chat from public, anon;
grant execute on function public.create_chat to authenticated, service_role;
revoke execute on all functions in schema private from public;
